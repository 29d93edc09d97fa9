# p99 of latency against each knob of a study.
# $knobs: for each of `classes`, for each panel, a block of x, p99, lo, hi, 1 if on the line through the best
# configuration. For panel i: panel_title_i, panel_log_i, panel_lo_i, panel_hi_i, names_i (texts of the levels),
# panel_labels_i (how many of them stand in the place of numbers, at 1, 2, ...). panels, columns, many (configurations).
rows = ceil(panels / (1.0 * columns))
set logscale y
set yrange [y_min:y_max]
column_px = (width_px - (narrow ? 62 : 70) + (columns > 1 ? 16 : 0)) / columns
row_px = (height_px - head_px - 30) / rows
set multiplot
do for [i = 1:panels] {
    c = (i - 1) % columns
    r = (i - 1) / columns
    set lmargin at screen ((narrow ? 62 : 70) + c * column_px) / width_px
    set rmargin at screen ((narrow ? 62 : 70) + (c + 1) * column_px - (columns > 1 ? 44 : 16)) / width_px
    set tmargin at screen 1 - (head_px + 28 + r * row_px) / height_px
    set bmargin at screen 1 - (head_px + 28 + (r + 1) * row_px - 70) / height_px
    eval sprintf('set xlabel panel_title_%d', i)
    eval sprintf('set xrange [panel_lo_%d:panel_hi_%d]', i, i)
    eval sprintf('is_log = panel_log_%d; labels = panel_labels_%d', i, i)
    if (is_log) { set logscale x } else { unset logscale x }
    set xtics autofreq
    set format x '%g'
    if (labels > 0) {
        set xtics () rotate by 0
        do for [k = 1:labels] { eval sprintf('set xtics add (names_%d[%d] %d)', i, k, k) }
    }
    if (c == 0) { set ylabel 'p99, seconds (log)'; set format y '%g' } else { set ylabel ''; set format y '' }
    if (i > 1) { unset key; unset label 900 }
    plot for [k = 1:words(classes)] $knobs index (k - 1) * panels + i - 1 using 1:($5 > 0 ? NaN : $2) with points \
            pointtype 7 pointsize (many ? 0.2 : 0.35) linecolor rgb value(word(classes, k)) notitle, \
         for [k = 1:words(classes)] '' index (k - 1) * panels + i - 1 using ($5 > 0 ? $1 : NaN):2:3:4 with yerrorbars \
            pointtype 7 pointsize 0.6 linewidth 1.4 linecolor rgb value(word(classes, k)) notitle, \
         for [k = 1:words(classes)] '' index (k - 1) * panels + i - 1 using ($5 > 0 ? $1 : 1 / 0):2 with lines \
            linewidth 1.8 linecolor rgb value(word(classes, k)) title word(classes, k)
}
unset multiplot
