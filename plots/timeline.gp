# Queue depth by class, 429s by limiter, demoted tenants, over the same time.
# $series (timeseries.csv, time in the unit of time_label), x_max, warmup, arrivals_end; classes: words,
# those that had jobs; queue_max; limiters and limiter_columns:
# words, those that refused anything; panels, refused, demoted.
ramp = ink
concurrency = muted
overload = '#8B5A2B'
spend = '#7A68C8'
set xrange [0:x_max]
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
if (warmup > 0) {
    set arrow 1 from first warmup, graph 0 to first warmup, graph 1 nohead front dashtype (4, 4) linecolor rgb muted
    set label 1 'measured from here' at first warmup, graph 0.93 offset 0.6 textcolor rgb muted
}
if (arrivals_end > 0 && arrivals_end < 0.999 * x_max) {
    set arrow 2 from first arrivals_end, graph 0 to first arrivals_end, graph 1 nohead front dashtype (4, 4) \
        linecolor rgb muted
}
set lmargin at screen left_edge
set rmargin at screen right_edge
set multiplot
panel = 1
do for [kind in 'queue refused demoted'] {
    if (kind eq 'queue' || (kind eq 'refused' && refused) || (kind eq 'demoted' && demoted)) {
        set tmargin at screen panel_top(panel, panels)
        set bmargin at screen panel_bottom(panel, panels)
        if (panel == panels) { set xlabel time_label; set format x '%g' } else { set xlabel ''; set format x '' }
        if (kind eq 'queue') {
            set ylabel 'jobs waiting'
            if (queue_max == 0) { set yrange [0:1] }
            plot for [c in classes] $series using (column('time')):(column('queue_'.c.'_jobs')) \
                with lines linewidth 1.8 linecolor rgb value(c) title c
        }
        set yrange [0:*]
        if (kind eq 'refused') {
            set ylabel (narrow ? '429s / min' : '429s per minute')
            plot for [i = 1:words(limiters)] $series \
                using (column('time')):(60 * column(word(limiter_columns, i))) \
                with lines linewidth 1.5 linecolor rgb value(word(limiters, i)) title limit_name(word(limiters, i))
        }
        if (kind eq 'demoted') {
            set ylabel (narrow ? 'demoted' : 'demoted tenants')
            plot $series using (column('time')):(column('demoted_tenants')) with lines linewidth 1.8 \
                linecolor rgb ink notitle
        }
        unset label
        panel = panel + 1
    }
}
unset multiplot
