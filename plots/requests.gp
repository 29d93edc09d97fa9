# Requests sent and admitted per second. $series as in timeline.gp; limit_per_s: 0 without one.
set xrange [0:x_max]
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set xlabel time_label
set ylabel 'requests per second' offset 1
if (warmup > 0) {
    set arrow 1 from first warmup, graph 0 to first warmup, graph 1 nohead front dashtype (4, 4) linecolor rgb muted
}
plot $series using (column('time')):(column('attempts_per_s')) with lines linewidth 3 linecolor rgb rpm \
        title 'sent', \
     $series using (column('time')):(column('admitted_per_s')) with lines linewidth 1.2 linecolor rgb ink \
        title 'admitted', \
     limit_per_s > 0 ? limit_per_s : NaN with lines linewidth 1.2 dashtype (8, 4) linecolor rgb muted \
        title (limit_per_s > 0 ? 'RPM limit' : '')
