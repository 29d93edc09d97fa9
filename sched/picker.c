#include "picker.h"

double sched_unit(uint64_t bits) {
    double u = ((double)(bits >> 11) + 0.5) * 0x1p-53;

    /* The largest of all rounds up to 1, which a probability of 1 must still win. */
    return u < 1 ? u : 1 - 0x1p-53;
}

static double draw(const struct sched_scheduler *scheduler, enum sched_draw purpose, uint64_t index) {
    return sched_unit(scheduler->random.draw(scheduler->random.context, purpose, 0, index));
}

static bool favours_critical(const struct sched_scheduler *scheduler, uint64_t index) {
    return draw(scheduler, SCHED_DRAW_FAVOUR_CRITICAL, index) < scheduler->config->picker.critical_win_probability;
}

/** Class by weight; the highest when no class has any. */
static int draw_class(const struct sched_scheduler *scheduler) {
    const double *weights = scheduler->config->picker.weights;
    double left = 0;
    int class_id;

    for (int c = 0; c < SCHED_CLASSES; c++)
        left += weights[c];
    left *= draw(scheduler, SCHED_DRAW_CLASS, scheduler->picks);
    for (class_id = 0; class_id < SCHED_CLASSES - 1; class_id++) {
        if (left < weights[class_id])
            break;
        left -= weights[class_id];
    }
    return class_id;
}

int sched_pick_class(struct sched_scheduler *scheduler, const struct sched_worker *worker,
                     const bool ready[SCHED_CLASSES]) {
    int count = 0;
    int last = SCHED_NO_CLASS;
    int drawn;

    for (int c = 0; c < SCHED_CLASSES; c++)
        if (ready[c]) {
            count++;
            last = c;
        }
    if (count <= 1)
        return last;

    scheduler->picks++;
    if (ready[SCHED_CRITICAL]) {
        bool by_release = scheduler->config->picker.critical_linger_ns > 0 && worker->released;

        if (by_release ? worker->favours : favours_critical(scheduler, scheduler->picks))
            return SCHED_CRITICAL;
    }
    drawn = draw_class(scheduler);
    for (int step = 0; step < SCHED_CLASSES; step++) {
        int c = (drawn + step) % SCHED_CLASSES;

        if (ready[c] && c != SCHED_CRITICAL)
            return c;
    }
    return last;
}

bool sched_lingers(const struct sched_scheduler *scheduler, const struct sched_worker *worker, int64_t now_ns) {
    return scheduler->config->picker.critical_linger_ns > 0 && worker->released && worker->favours &&
           now_ns < worker->linger_until_ns;
}

void sched_release(struct sched_scheduler *scheduler, struct sched_worker *worker) {
    int64_t linger_ns = scheduler->config->picker.critical_linger_ns;

    if (linger_ns <= 0)
        return;
    scheduler->releases++;
    worker->released = true;
    worker->favours = favours_critical(scheduler, scheduler->releases);
    worker->linger_until_ns = scheduler->clock.now_ns(scheduler->clock.context) + linger_ns;
}
