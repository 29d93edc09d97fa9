# Latency against fairness: to the left and up is better.
# $points: x, y, x lo, x hi, y lo, y hi, feasible (1 / 0 / -1), baseline, chosen, on the front; sorted by x; x_title,
# y_title, x_log, x_min, x_max; any_*: is there one; chosen_title.
if (x_log) { set logscale x }
set xrange [x_min:x_max]
set tmargin (heading eq '' ? 3.6 : 5.2)
set offsets 0, 0, graph 0.08, graph 0.08
set xlabel x_title
set ylabel y_title
plot $points using ($10 > 0 ? $1 : 1 / 0):2 with steps linewidth 1.6 linecolor rgb muted title 'front', \
     $points using ($10 > 0 || $9 > 0 || $8 > 0 ? $1 : NaN):2:3:4:5:6 with xyerrorbars pointtype 0 linewidth 0.8 \
        linecolor rgb muted notitle, \
     $points using ($7 > 0 ? $1 : NaN):2 with points pointtype 7 pointsize 0.7 linecolor rgb standard \
        title (any_feasible ? 'SLOs hold' : ''), \
     $points using ($7 <= 0 ? $1 : NaN):2 with points pointtype 6 pointsize 0.7 linewidth 1.4 linecolor rgb muted \
        title (any_other ? (narrow ? 'not all' : 'not all SLOs hold') : ''), \
     $points using ($8 > 0 ? $1 : NaN):2 with points pointtype 13 pointsize 1.5 linecolor rgb ink \
        title (any_baseline ? 'baseline' : ''), \
     $points using ($9 > 0 ? $1 : NaN):2 with points pointtype 9 pointsize 1.4 linecolor rgb critical \
        title (any_chosen ? chosen_title : '')
