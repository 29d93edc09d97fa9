# Levels of the token buckets over time, and below it how much of them and of the workers is used.
# $series as in timeline.gp; buckets: words; $used: row, share, lo, hi, colour; bars: rows; used_max, used_step, in per cent;
# y tics: their labels.
bars_px = 28.0 * bars
split = (foot_px + bars_px) / height_px
set lmargin at screen left_edge + (narrow ? 40 : 32) / width_px
set rmargin at screen right_edge
set key width 1
set multiplot

set bmargin at screen foot_px / height_px
set tmargin at screen split
set xrange [0:1.18 * used_max]
set xtics used_max > 100 ? used_step : 20
set yrange [bars + 0.6:0.4]
set format x '%g %%'
set boxwidth 0.5
set style fill solid 1 noborder
plot $used using (50 * $2):1:(50 * $2):(0.28):5 with boxxyerror linecolor rgb variable notitle, \
     $used using (100 * $2):1:(100 * $3):(100 * $4) with xerrorbars pointtype 7 pointsize 0.3 linewidth 1.4 \
        linecolor rgb ink notitle, \
     $used using (100 * $4):1:(sprintf($2 < 9.995 ? '%.3g %%' : '%.0f %%', 100 * $2)) with labels left offset 0.8, 0 textcolor rgb ink notitle
unset label

set tmargin at screen 1 - (head_px + 26) / height_px
set bmargin at screen split + 70 / height_px
set xrange [0:x_max]
set xtics autofreq
set format x '%g'
set xlabel time_label
set ylabel (narrow ? 'level' : 'level (share of capacity)')
set yrange [*<0:102]
set ytics autofreq
set format y '%g %%'
if (warmup > 0) {
    set arrow 1 from first warmup, graph 0 to first warmup, graph 1 nohead front dashtype (4, 4) linecolor rgb muted
}
plot for [b in buckets] $series using (column('time')):(100 * column(b.'_level_share')) with lines linewidth 1.5 \
    linecolor rgb value(b) title limit_name(b)
unset multiplot
