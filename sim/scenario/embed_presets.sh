#!/bin/sh
# Write C source that holds the given preset files: embed_presets.sh OUTPUT FILE...
set -eu
output=$1
shift
{
    echo '#include "scenario/presets.h"'
    number=0
    for file in "$@"; do
        echo "static const char text_$number[] = {"
        od -An -v -tu1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
        echo '0};'
        number=$((number + 1))
    done
    echo 'const struct sim_preset sim_presets[] = {'
    number=0
    for file in "$@"; do
        echo "{\"$(basename "$file" .json)\", text_$number, sizeof text_$number - 1},"
        number=$((number + 1))
    done
    echo '};'
    echo "const size_t sim_preset_count = $number;"
} >"$output"
