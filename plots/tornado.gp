# What each knob changes: bars from the lowest to the highest mean over the configurations of one of its values.
# $bars: row, from, to; at_lo, at_hi: the values that give them; rows; x_title; x_step;
# from_zero: do all bars begin at 0; y tics: names of the knobs.
set lmargin at screen (narrow ? 100 : 200) / width_px
set rmargin 4
set bmargin at screen 70 / height_px
set yrange [rows + 0.6:0.4]
set offsets graph 0.12, graph 0.12, 0, 0
if (from_zero) { set xrange [0:*] }
set border 1
set grid noytics
set xlabel x_title
set xtics x_step
set style fill solid 1 noborder
unset key
plot $bars using (($2 + $3) / 2):1:(($3 - $2) / 2):(0.3) with boxxyerror linecolor rgb itpm, \
     $bars using 2:1:(at_lo[int($1)]) with labels right offset -0.6, 0 textcolor rgb ink, \
     $bars using 3:1:(at_hi[int($1)]) with labels left offset 0.6, 0 textcolor rgb ink
