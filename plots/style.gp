# What all pictures share. The program sets before: ink, muted, rule, paper, good, doubt, bad (colours of the theme),
# narrow (0 or 1), heading (a title, or empty where the page around the picture has one), width_px, height_px.
#
# Colours are of Okabe and Ito's palette (https://jfly.uni-koeln.de/color/), which people with any kind of colour vision
# can tell apart. A class has the same colour in every picture, and so has a limiter.
critical = '#D55E00'
standard = '#0072B2'
batch = '#009E73'
rpm = '#E69F00'
itpm = '#56B4E9'
otpm = '#CC79A7'
limit_name(limiter) = limiter eq 'rpm' ? 'RPM' : limiter eq 'itpm' ? 'ITPM' : limiter eq 'otpm' ? 'OTPM' : limiter

# Marks of claims, in the order of the program's: before, after, good, doubt, bad, fails, stated, band, best, worse. Each is
# known by its shape as well.
after = '#7A68C8'
marks = 10
colours = sprintf('%s %s %s %s %s %s %s %s %s %s', muted, after, good, doubt, bad, bad, ink, rule, ink, ink)
filled = '5 7 7 9 5 2 12 5 6 2'
hollow = '4 6 6 8 4 2 12 4 6 2'
mark_size(k) = word('0.6 0.7 0.7 0.75 0.6 0.7 1.15 1 1.6 0.9', k) + 0

set datafile missing 'NaN'
set border 3 linecolor rgb rule linewidth 1
set tics nomirror out scale 0.6 textcolor rgb muted
set grid xtics ytics back linetype 1 linecolor rgb rule linewidth 0.8
set xlabel textcolor rgb ink
set ylabel textcolor rgb ink offset (narrow ? 1.2 : 0), 0
set label 900 heading at screen 0.5, 1 - 16 / height_px center textcolor rgb ink
set key textcolor rgb ink at graph 0, 1.01 left bottom horizontal Left reverse height 0.3 \
    samplen (narrow ? 1 : 1.6) width (narrow ? -1.5 : 0)
if (narrow) { set key font ',11' }
set lmargin (narrow ? 8 : 10)
set rmargin (narrow ? 2 : 4)
set tmargin (heading eq '' ? 2 : 3.6)

# Pictures of several panels below each other: edges of panel i of n, with room for a heading above and the label of the
# axis below. Every panel draws every label, so the heading goes after the first.
head_px = heading eq '' ? 2.0 : 36.0
foot_px = 46.0
panel_px(n) = (height_px - head_px - foot_px) / n
panel_top(i, n) = 1 - (head_px + (i - 1) * panel_px(n) + 26) / height_px
panel_bottom(i, n) = 1 - (head_px + i * panel_px(n) - 18) / height_px
left_edge = (narrow ? 62 : 76) / width_px
right_edge = 1 - (narrow ? 14 : 24) / width_px
