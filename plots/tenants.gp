# Shares of service and p99, a row a tenant.
# $tenants: row, share of service, share of demand, p99, lo, hi, 1 if the p99 lies beyond all finished jobs; rows; beyond;
# timed: is there any p99; share_max, share_step; p99_min, p99_max; y tics: names; p99_tics: a command for those of the p99.
label_px = narrow ? 92 : 158
middle = (label_px + (narrow ? 0.42 : 0.46) * (width_px - label_px)) / width_px
set tmargin at screen 1 - (head_px + 28) / height_px
set bmargin at screen (foot_px + 16) / height_px
set yrange [rows + 0.6:0.4]
set border 1
set grid noytics
set multiplot

set lmargin at screen label_px / width_px
set rmargin at screen middle
set xrange [0:100 * share_max * 1.04]
set xtics 100 * share_step
set format x '%g %%'
set xlabel (narrow ? 'share' : 'share of all tenants')
set style fill solid 1 noborder
plot $tenants using (50 * $2):1:(50 * $2):(0.32) with boxxyerror linecolor rgb '#808890' title (narrow ? '' : 'served'), \
     $tenants using (100 * $3):($1 - 0.38):(0):(0.76) with vectors nohead linewidth 2 linecolor rgb ink \
        title (narrow ? '' : 'asked for')

unset label
set lmargin at screen middle + 0.03
set rmargin at screen right_edge
set xrange [p99_min:p99_max]
set logscale x
eval p99_tics
if (!timed) {
    set xtics ()
    set label 1 (!beyond ? 'no jobs measured' : narrow ? 'all beyond' : 'every p99 lies beyond all finished jobs') \
        at graph 0.5, 0.5 center front textcolor rgb muted
}
set format x '%h'
set xlabel (narrow ? 'p99, s (log)' : 'p99 of latency, seconds (logarithmic)')
unset ytics
plot $tenants using 4:1:5:6 with xerrorbars pointtype 7 pointsize 0.7 linewidth 1.6 linecolor rgb ink \
        title (timed && !narrow ? 'p99' : ''), \
     $tenants using ($7 > 0 ? p99_max / 1.06 : NaN):1 with points pointtype 9 pointsize 0.9 linecolor rgb critical \
        title (timed && beyond ? 'beyond' : '')
unset multiplot
