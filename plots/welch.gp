# How the system settles: backlog and time in the system, means over the replications, and Welch's moving average.
# $welch: time, backlog, its average, sojourn, its average; x_max, warmup, time_label.
set xrange [0:x_max]
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set lmargin at screen left_edge
set rmargin at screen right_edge
if (warmup > 0) {
    set arrow 1 from first warmup, graph 0 to first warmup, graph 1 nohead front dashtype (4, 4) linecolor rgb muted
    set label 1 'measured from here' at first warmup, graph 0.93 offset 0.6 textcolor rgb muted
}
set multiplot
set tmargin at screen panel_top(1, 2)
set bmargin at screen panel_bottom(1, 2)
set format x ''
set ylabel (narrow ? 'jobs' : 'jobs in the system')
plot $welch using 1:2 with lines linewidth 0.8 linecolor rgb itpm title 'mean', \
     $welch using 1:3 with lines linewidth 2.2 linecolor rgb ink title 'moving average'
unset label
unset key
set tmargin at screen panel_top(2, 2)
set bmargin at screen panel_bottom(2, 2)
set format x '%g'
set xlabel time_label
set ylabel (narrow ? 'seconds' : 'seconds in the system')
plot $welch using 1:4 with lines linewidth 0.8 linecolor rgb itpm, \
     $welch using 1:5 with lines linewidth 2.2 linecolor rgb ink
unset multiplot
