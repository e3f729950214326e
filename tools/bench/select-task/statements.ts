/**
 * Statements of one select, from the request to its answer, those that begin and end transactions left out: two to know
 * who asks, four to know what is asked for, nineteen in the run's step, one for the answer. A test counts them.
 */
export const statements = 26;
