# B against A: the change of each figure as a share of A's value, with its 95 % interval.
# $changes: row, change, lo, hi, 1 if sure / 0 if not; called: what the change is called, by row; rows; y tics: figures.
set lmargin at screen (narrow ? 132 : 200) / width_px
set rmargin (narrow ? 3 : 20)
set bmargin at screen 70 / height_px
set yrange [rows + 0.6:0.4]
set xrange [x_min:x_max]
set border 1
set grid noytics
set format x '%g %%'
set xlabel 'B against A, share of A'
set arrow 1 from 0, graph 0 to 0, graph 1 nohead back linewidth 1.4 linecolor rgb muted
plot $changes using ($5 > 0 ? $2 : NaN):1:3:4 with xerrorbars pointtype 7 pointsize 0.8 linewidth 1.8 linecolor rgb ink \
        title 'sure', \
     $changes using ($5 > 0 ? NaN : $2):1:3:4 with xerrorbars pointtype 6 pointsize 0.8 linewidth 1.2 \
        linecolor rgb muted title 'not sure', \
     $changes using (narrow ? NaN : x_max):1:(called[int($1)]) with labels left offset 1, 0 textcolor rgb muted notitle
