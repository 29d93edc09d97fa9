# How long jobs of each class take: the share of them that takes longer than x, from all of them to one in 10,000.
# $latency: a block for each of `classes`; latency in seconds, share above. $slo: limit, share allowed, colour.
set logscale xy
set logscale y2
set xrange [x_min:x_max]
set yrange [1e-4:1]
set y2range [1e-4:1]
set xlabel 'latency in seconds (logarithmic)'
set ylabel 'jobs that take longer' offset 1
set ytics ('100 %%' 1, '10 %%' 0.1, '1 %%' 0.01, '0.1 %%' 0.001, '0.01 %%' 0.0001)
set y2tics ('p50' 0.5, 'p90' 0.1, 'p99' 0.01, 'p99.9' 0.001, 'p99.99' 0.0001) scale 0
set rmargin 7
if (narrow) { set key width -4 }
plot for [i = 1:words(classes)] $latency index i - 1 using 1:2 with steps linewidth 2.2 \
         linecolor rgb value(word(classes, i)) title word(classes, i), \
     for [i = 1:slos] $slo every ::i - 1::i - 1 using 1:2:3 with points pointtype 11 pointsize 1.1 \
         linecolor rgb variable notitle
