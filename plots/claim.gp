# Claims: numbers that somebody states, and ours. Also draws the overview of all of them (claims).
# Panels below each other or in two columns; labels, legend and titles are set already, in pixels.
# Of panel i: p_left, p_right, p_top, p_bottom: its edges in pixels, from the left and from below the heading; p_x_min,
# p_x_max, p_y_min, p_y_max: its ranges (y in pixels where p_upward is 0); p_axes: commands for tics and scales.
# Blocks by panel: $points: x, y, lo, hi (across, or upward where p_upward is 1), mark, hollow; $arrows: x, y, dx, dy,
# mark; $bands: x from, to, y from, to; $stated: x, y; $lines: x, y, -, -, mark.
unset key
unset xlabel
unset ylabel
set multiplot
do for [i = 1:panels] {
    set lmargin at screen p_left[i] / width_px
    set rmargin at screen p_right[i] / width_px
    set tmargin at screen 1 - (head_px + p_top[i]) / height_px
    set bmargin at screen 1 - (head_px + p_bottom[i]) / height_px
    unset logscale
    set xrange [p_x_min[i]:p_x_max[i]]
    set yrange [p_y_min[i]:p_y_max[i]]
    eval p_axes[i]
    b = i - 1
    up = p_upward[i]
    plot $bands index b using 1:3:1:2:3:4 with boxxyerror fillstyle solid 1 noborder linecolor rgb rule, \
        for [k = 1:marks] $lines index b using 1:($5 == k - 1 ? $2 : NaN) with lines linewidth (k == 7 ? 1.2 : 1.8) \
            dashtype 1 + (k == 7) linecolor rgb word(colours, k), \
        for [k = 1:marks] $arrows index b using ($5 == k - 1 ? $1 : NaN):2:3:4 with vectors head filled \
            size screen 7 / width_px, 20 linewidth 1.6 linecolor rgb word(colours, k), \
        for [k = 1:marks] $points index b using (!up && $5 == k - 1 ? $1 : NaN):2:3:4 with xerrorbars pointtype 0 \
            linewidth 1.6 linecolor rgb word(colours, k), \
        for [k = 1:marks] $points index b using (up && $5 == k - 1 ? $1 : NaN):2:3:4 with yerrorbars pointtype 0 \
            linewidth 1.4 linecolor rgb word(colours, k), \
        for [k = 1:marks] $points index b using ($5 == k - 1 && $6 == 0 ? $1 : NaN):2 with points \
            pointtype int(word(filled, k)) pointsize mark_size(k) linewidth 1.6 linecolor rgb word(colours, k), \
        for [k = 1:marks] $points index b using ($5 == k - 1 && $6 > 0 ? $1 : NaN):2 with points \
            pointtype int(word(hollow, k)) pointsize mark_size(k) linewidth 1.6 linecolor rgb word(colours, k), \
        $stated index b using 1:2 with points pointtype int(word(filled, 7)) pointsize mark_size(7) linewidth 1.4 \
            linecolor rgb ink
    unset label
    unset object
}
unset multiplot
