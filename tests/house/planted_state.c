/** Keeps state between calls, as the scheduler must never do: the symbol check has to refuse it. */

int planted_state(void);

int planted_state(void) {
    static int calls;
    return ++calls;
}
