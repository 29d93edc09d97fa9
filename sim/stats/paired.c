/** Paired differences over replications. */
#include "paired.h"
#include "moments.h"

#include "../measure/histogram.h"
#include "../memory.h"

#include <gsl/gsl_cdf.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/** Two-sided p of "no difference": @p half is how far the interval's end on the side of 0 lies from the difference. */
static double p_of(double difference, double half, double t, size_t pairs) {
    if (difference == 0)
        return isnan(half) ? NAN : 1;
    if (isnan(half) || pairs < 2)
        return NAN;
    if (half == 0)
        return 0;
    return 2 * gsl_cdf_tdist_Q(fabs(difference) / half * t, (double)(pairs - 1));
}

/** The interval difference -lower .. +upper, and p from the end on the side of 0. */
static void set_interval(struct sim_paired *paired, double lower, double upper, double level) {
    double t = sim_student_t(level, paired->pairs);
    paired->lo = paired->difference - lower;
    paired->hi = paired->difference + upper;
    paired->p = p_of(paired->difference, paired->difference > 0 ? lower : upper, t, paired->pairs);
}

static void set_symmetric(struct sim_paired *paired, double se, double level) {
    double half = sim_student_t(level, paired->pairs) * se;
    set_interval(paired, half, half, level);
}

/** sqrt(sum of squares / (n - 1) / n): the standard error of a mean of @p n residuals. */
static double error_of(double squares, size_t n) {
    return n < 2 ? NAN : sqrt(squares / ((double)n - 1) / (double)n);
}

static bool in_both(const struct sim_side *a, const struct sim_side *b, size_t r) {
    return !isnan(a->value[r]) && !isnan(b->value[r]);
}

/* ---- means and maxima ---- */

static void mean_pairs(const struct sim_side *a, const struct sim_side *b, size_t count, struct sim_paired *paired) {
    double sum_a = 0, sum_b = 0;
    for (size_t r = 0; r < count; r++)
        if (in_both(a, b, r)) {
            sum_a += a->value[r];
            sum_b += b->value[r];
            paired->pairs++;
        }
    if (paired->pairs == 0)
        return;
    paired->a = sum_a / (double)paired->pairs;
    paired->b = sum_b / (double)paired->pairs;
    paired->difference = paired->b - paired->a;
}

/** Standard error of slope_b x (mean of b) - slope_a x (mean of a). */
static double spread(const struct sim_side *a, const struct sim_side *b, size_t count, const struct sim_paired *paired,
                     double slope_a, double slope_b) {
    double squares = 0;
    for (size_t r = 0; r < count; r++)
        if (in_both(a, b, r)) {
            double residual = slope_b * (b->value[r] - paired->b) - slope_a * (a->value[r] - paired->a);
            squares += residual * residual;
        }
    return error_of(squares, paired->pairs);
}

/** On the scale of ln CV^2 = ln((1 - J) / J), linearised at the means; the ends are carried back from B's index with A's
 *  held fast, so that they exclude 0 exactly when those on the scale do, and stay within J's bounds. */
static void jain_pairs(const struct sim_side *a, const struct sim_side *b, size_t count, double level,
                       struct sim_paired *paired) {
    double ja = paired->a, jb = paired->b;
    if (!(ja > 0 && ja < 1 && jb > 0 && jb < 1)) {
        /* An index of exactly 1 has no ln CV^2. */
        set_symmetric(paired, spread(a, b, count, paired, 1, 1), level);
        return;
    }
    double slope_a = 1 / (ja * (1 - ja)), slope_b = 1 / (jb * (1 - jb));
    double half = sim_student_t(level, paired->pairs) * spread(a, b, count, paired, slope_a, slope_b);
    double at_a = log((1 - ja) / ja), at_b = log((1 - jb) / jb);
    paired->lo = 1 / (1 + exp(at_b + half)) - ja;
    paired->hi = 1 / (1 + exp(at_b - half)) - ja;
    paired->p = p_of(at_b - at_a, half, sim_student_t(level, paired->pairs), paired->pairs);
}

/* ---- ratios ---- */

/** Summed numerators over summed denominators of the replications that both sides have. */
static struct sim_moments ratio_of(const struct sim_side *side, const struct sim_side *other, size_t count,
                                   double *ret_mean_weight) {
    double *memory = sim_alloc(2 * count * sizeof *memory);
    double *top = memory, *bottom = memory + count;
    double sum = 0;
    for (size_t r = 0; r < count; r++) {
        bool both = in_both(side, other, r);
        top[r] = both ? side->value[r] : NAN;
        bottom[r] = both ? side->weight[r] : NAN;
        sum += both ? side->weight[r] : 0;
    }
    struct sim_moments moments = sim_moments_of_ratio(top, bottom, count);
    *ret_mean_weight = sum / (double)moments.count;
    free(memory);
    return moments;
}

/** The ratio estimator's residuals of both sides, subtracted pair by pair. */
static void ratio_pairs(const struct sim_side *a, const struct sim_side *b, size_t count, double level,
                        struct sim_paired *paired) {
    double weight_a, weight_b, squares = 0;
    struct sim_moments ma = ratio_of(a, b, count, &weight_a), mb = ratio_of(b, a, count, &weight_b);
    paired->a = ma.value;
    paired->b = mb.value;
    paired->pairs = ma.count;
    paired->difference = mb.value - ma.value;
    for (size_t r = 0; r < count; r++)
        if (in_both(a, b, r)) {
            double residual =
                (b->value[r] - mb.value * b->weight[r]) / weight_b - (a->value[r] - ma.value * a->weight[r]) / weight_a;
            squares += residual * residual;
        }
    /* A single replication with a denominator fits its own ratio perfectly. */
    bool known = !isnan(ma.se) && !isnan(mb.se);
    set_symmetric(paired, known ? error_of(squares, paired->pairs) : NAN, level);
}

/* ---- quantiles ---- */

/** Has every replication enough jobs for a quantile of its own, and that on a finished job? */
static bool sectionable(const struct sim_side *side, size_t count, double quantile) {
    double jobs_min = 1 / (1 - quantile) * (1 - 1e-12);
    for (size_t r = 0; r < count; r++)
        if (side->weight[r] < jobs_min || !isfinite(side->value[r]))
            return false;
    return true;
}

/** Set the interval difference -lower .. +upper, wider by what reading quantiles at the upper edges of bins may add: where a
 *  quantile moves to the next bin and no replication's own does, the replications would vouch for a difference of a bin. */
static void set_read_interval(struct sim_paired *paired, double lower, double upper, double level) {
    const double bin = 1. / SIM_HISTOGRAM_STEPS;
    set_interval(paired, lower + bin * fabs(paired->b), upper + bin * fabs(paired->a), level);
}

/** Sectioning: the pairs' differences spread around the difference of the pooled quantiles. An end is open where that of
 *  the side it leans on is. */
static void section_pairs(const struct sim_side *a, const struct sim_side *b, size_t count, double level,
                          struct sim_paired *paired) {
    double squares = 0;
    for (size_t r = 0; r < count; r++) {
        double residual = b->value[r] - a->value[r] - paired->difference;
        squares += residual * residual;
    }
    double half = sim_student_t(level, count) * error_of(squares, count);
    set_read_interval(paired, isnan(a->pooled.hi) ? NAN : half, isnan(b->pooled.hi) ? NAN : half, level);
}

/** Correlation over replications of how many more jobs than their share lie at or below the pooled quantiles. */
static double correlation(const struct sim_side *a, const struct sim_side *b, size_t count) {
    double below_a = 0, below_b = 0, jobs_a = 0, jobs_b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t r = 0; r < count; r++) {
        below_a += a->below[r];
        below_b += b->below[r];
        jobs_a += a->weight[r];
        jobs_b += b->weight[r];
    }
    for (size_t r = 0; r < count; r++) {
        double ua = a->below[r] - below_a / jobs_a * a->weight[r];
        double ub = b->below[r] - below_b / jobs_b * b->weight[r];
        aa += ua * ua;
        bb += ub * ub;
        ab += ua * ub;
    }
    return aa > 0 && bb > 0 ? fmin(1, fmax(-1, ab / sqrt(aa * bb))) : 0;
}

/** How far the difference of two estimates may be off to one side, from how far each may be. */
static double recover(double off_a, double off_b, double rho) {
    /* fmax() would take a number for what is open. */
    if (isnan(off_a) || isnan(off_b))
        return NAN;
    return sqrt(fmax(0, off_a * off_a + off_b * off_b - 2 * rho * off_a * off_b));
}

/** From the two intervals and their correlation, by variance estimates recovered from the ends (MOVER: G. Zou, A. Donner,
 *  Statistics in Medicine 27, 2008). Asks nothing of the single replication, so few jobs in each will do. */
static void share_pairs(const struct sim_side *a, const struct sim_side *b, size_t count, double level,
                        struct sim_paired *paired) {
    double rho = correlation(a, b, count);
    double lower = recover(a->pooled.hi - paired->a, paired->b - b->pooled.lo, rho);
    double upper = recover(paired->a - a->pooled.lo, b->pooled.hi - paired->b, rho);
    set_read_interval(paired, lower, upper, level);
}

static void quantile_pairs(double quantile, const struct sim_side *a, const struct sim_side *b, size_t count,
                           double level, struct sim_paired *paired) {
    paired->a = a->pooled.value;
    paired->b = b->pooled.value;
    paired->difference = paired->b - paired->a;
    paired->pairs = count;
    if (isnan(paired->difference) || count < 2)
        return;
    if (sectionable(a, count, quantile) && sectionable(b, count, quantile))
        section_pairs(a, b, count, level, paired);
    else
        share_pairs(a, b, count, level, paired);
}

/* ---- any figure ---- */

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/** Identical in every replication: the difference is 0, whatever the spread of each side. */
static bool identical(enum sim_figure_kind kind, const struct sim_side *a, const struct sim_side *b, size_t count) {
    for (size_t r = 0; r < count; r++) {
        if (!same_number(a->value[r], b->value[r]) || !same_number(a->weight[r], b->weight[r]))
            return false;
        if (kind == SIM_FIGURE_QUANTILE && a->below[r] != b->below[r])
            return false;
    }
    return true;
}

static bool pools(enum sim_figure_kind kind) {
    return kind == SIM_FIGURE_QUANTILE || kind == SIM_FIGURE_SAMPLE_MEAN || kind == SIM_FIGURE_SAMPLE_MAX;
}

struct sim_paired sim_paired_difference(enum sim_figure_kind kind, double quantile, const struct sim_side *a,
                                        const struct sim_side *b, size_t count, double level) {
    struct sim_paired paired = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0};
    assert(kind != SIM_FIGURE_QUANTILE || level == .95);
    if (pools(kind) && (isnan(a->pooled.value) || isnan(b->pooled.value))) {
        paired.a = a->pooled.value;
        paired.b = b->pooled.value;
        paired.a_beyond = a->pooled.beyond;
        paired.b_beyond = b->pooled.beyond;
        return paired;
    }
    switch (kind) {
    case SIM_FIGURE_MEAN:
    case SIM_FIGURE_MAX:
    case SIM_FIGURE_SAMPLE_MAX:
        mean_pairs(a, b, count, &paired);
        set_symmetric(&paired, spread(a, b, count, &paired, 1, 1), level);
        break;
    case SIM_FIGURE_JAIN:
        mean_pairs(a, b, count, &paired);
        jain_pairs(a, b, count, level, &paired);
        break;
    case SIM_FIGURE_RATIO:
    case SIM_FIGURE_SAMPLE_MEAN:
        ratio_pairs(a, b, count, level, &paired);
        break;
    case SIM_FIGURE_QUANTILE:
        quantile_pairs(quantile, a, b, count, level, &paired);
        break;
    }
    if (count > 1 && paired.difference == 0 && identical(kind, a, b, count)) {
        paired.lo = paired.hi = 0;
        paired.p = 1;
    }
    paired.relative = paired.a != 0 ? paired.difference / fabs(paired.a) : NAN;
    return paired;
}

/* ---- several figures, and verdicts ---- */

struct ranked {
    double p;
    size_t at;
};

static int by_p(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

void sim_holm(const double *p, size_t count, double *ret) {
    struct ranked *ranked = sim_alloc(count * sizeof *ranked);
    size_t known = 0;
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        ret[i] = NAN;
        if (!isnan(p[i]))
            ranked[known++] = (struct ranked){p[i], i};
    }
    qsort(ranked, known, sizeof *ranked, by_p);
    for (size_t i = 0; i < known; i++) {
        largest = fmax(largest, fmin(1, ranked[i].p * (double)(known - i)));
        ret[ranked[i].at] = largest;
    }
    free(ranked);
}

enum sim_verdict sim_paired_judge(const struct sim_paired *paired, bool rise, double threshold, const char **ret_why) {
    double change = rise ? paired->difference : -paired->difference;
    double lo = rise ? paired->lo : -paired->hi, hi = rise ? paired->hi : -paired->lo;
    *ret_why = NULL;
    if (isnan(paired->b)) {
        *ret_why = "B has no value, and a null side loses";
        return SIM_FAIL;
    }
    if (isnan(paired->a)) {
        bool won = rise && !isnan(paired->a_beyond);
        *ret_why = won ? "A has no value, and a null side loses" : "A has no value to compare with";
        return won ? SIM_PASS : SIM_INCONCLUSIVE;
    }
    /* Comparisons with a null end are false. */
    if (lo > 0 && change > threshold)
        return SIM_FAIL;
    if (hi <= threshold || (lo <= 0 && (hi - lo) / 2 < threshold))
        return SIM_PASS;
    return SIM_INCONCLUSIVE;
}
