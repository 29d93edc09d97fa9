# One figure for each pair of values of two knobs, and where the SLOs hold.
# $cells: column, row, value, 1 all SLOs hold / 0 one is in doubt / -1 one fails, 1 for the best, text; columns, rows;
# scatter: a point for each configuration in the place of cells: the first two are the knobs' values; x_log, y_log;
# x_title, y_title, metric; value_min, value_max; tics: the knobs' values.
# The palette rises evenly in lightness (viridis), so that it reads without colour.
set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', \
                     7 '#aadc32', 8 '#fde725')
set cbrange [value_min:value_max]
set colorbox user origin screen 1 - (narrow ? 62 : 96) / width_px, screen 0.25 size 14 / width_px, 0.5 noborder
set cbtics textcolor rgb muted scale 0.4
set rmargin (narrow ? 11 : 15)
set lmargin (narrow ? 9 : 13)
set tmargin (heading eq '' ? 2 : 4)
set xlabel x_title
set ylabel y_title offset (narrow ? 1 : 0), 0
set label 1 metric at screen 1 - 8 / width_px, 1 - (head_px + 12) / height_px right textcolor rgb ink
mark_fails = narrow ? 'SLO fails' : 'an SLO fails'
if (scatter) {
    if (x_log) { set logscale x }
    if (y_log) { set logscale y }
    set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
    plot $cells using 1:2:3 with points pointtype 7 pointsize 0.9 linecolor palette notitle, \
         $cells using ($4 < 0 ? $1 : NaN):2 with points pointtype 2 pointsize 1.2 linewidth 1.2 linecolor rgb ink \
            title mark_fails, \
         $cells using ($4 == 0 ? $1 : NaN):2:('?') with labels offset 0.9, 0.4 textcolor rgb ink notitle, \
         $cells using ($5 > 0 ? $1 : NaN):2 with points pointtype 6 pointsize 1.8 linewidth 2 linecolor rgb '#E69F00' \
            title 'best'
} else {
    set xrange [0.5:columns + 0.5]
    set yrange [0.5:rows + 0.5]
    unset grid
    set style fill solid 1 border rgb paper
    middle = (value_min + value_max) / 2
    show = columns * rows <= 120 && (width_px - 200) / columns > 34
    ink_on(value) = value > middle ? 0x111111 : 0xffffff
    plot $cells using 1:2:(0.47):(0.46):3 with boxxyerror linecolor palette notitle, \
         $cells using (show ? $1 : NaN):2:6:(ink_on($3)) with labels offset 0, (rows > 8 ? 0 : 0.5) \
            textcolor rgb variable notitle, \
         $cells using ($4 < 0 ? $1 : NaN):($2 - (show ? 0.22 : 0)):(ink_on($3)) with points pointtype 2 pointsize 0.8 \
            linewidth 1.6 linecolor rgb variable notitle, \
         $cells using ($4 == 0 ? $1 : NaN):($2 - (show ? 0.22 : 0)):('?'):(ink_on($3)) with labels \
            textcolor rgb variable notitle, \
         $cells using ($5 > 0 ? $1 : NaN):2:(0.44):(0.43) with boxxyerror fillstyle empty linewidth 3 \
            linecolor rgb '#E69F00' notitle, \
         NaN with points pointtype 2 pointsize 0.8 linewidth 1.6 linecolor rgb ink title mark_fails, \
         NaN with lines linewidth 3 linecolor rgb '#E69F00' title 'best'
}
