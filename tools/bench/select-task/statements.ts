/**
 * The number of SQL statements of one select, without those that begin and end transactions: two to authenticate,
 * four to read what the request names, nineteen in the run's step, one for the response. A test checks the number.
 */
export const statements = 26;
