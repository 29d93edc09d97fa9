# The stages of a tune: what each still in the race came to, the kept ones filled.
# $stages: place (1, 2, ...), value, lo, hi, kept, role (0 candidate, 1 baseline, 2 winner); places; x tics: the stages;
# y_title; any_winner; y_min, y_max; zero: is 0 the line between keeping every SLO and not.
set xrange [0.4:places + 0.6]
set yrange [y_min:y_max]
set ylabel y_title
set grid noxtics
spread(n) = ((n * 0.61803398875) - floor(n * 0.61803398875) - 0.5) * 0.55
if (zero) { set arrow 1 from 0.4, 0 to places + 0.6, 0 nohead back dashtype (6, 4) linewidth 1.4 linecolor rgb muted }
plot $stages using ($6 == 0 && $5 == 0 ? $1 + spread($0) : NaN):2 with points pointtype 6 pointsize 0.5 linewidth 1 \
        linecolor rgb muted title 'dropped', \
     $stages using ($6 == 0 && $5 > 0 ? $1 + spread($0) : NaN):2 with points pointtype 7 pointsize 0.6 \
        linecolor rgb standard title 'kept', \
     $stages using ($6 == 1 ? $1 : NaN):2:3:4 with yerrorbars pointtype 13 pointsize 1.4 linewidth 1.4 linecolor rgb ink \
        title 'baseline', \
     $stages using ($6 == 2 ? $1 + 0.12 : NaN):2:3:4 with yerrorbars pointtype 9 pointsize 1.3 linewidth 1.4 \
        linecolor rgb critical title (any_winner ? 'winner' : '')
