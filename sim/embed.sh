#!/bin/sh
# Write C source that holds the given files as `const struct STRUCT ARRAY[]` of { name, text, length } and ARRAY's count:
# embed.sh OUTPUT HEADER STRUCT ARRAY COUNT SUFFIX FILE...
# Names are those of the files, without SUFFIX.
set -eu
output=$1 header=$2 struct=$3 array=$4 count=$5 suffix=$6
shift 6
{
    echo "#include \"$header\""
    number=0
    for file in "$@"; do
        echo "static const char text_$number[] = {"
        od -An -v -tu1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
        echo '0};'
        number=$((number + 1))
    done
    echo "const struct $struct ${array}[] = {"
    number=0
    for file in "$@"; do
        echo "{\"$(basename "$file" "$suffix")\", text_$number, sizeof text_$number - 1},"
        number=$((number + 1))
    done
    echo '};'
    echo "const size_t $count = $number;"
} >"$output"
