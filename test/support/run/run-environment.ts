/** Environment variable: the run ends with its starter, which holds the other end of its input. */
export const endsWithStarter = 'TEST_RUN_ENDS_WITH_STARTER';
/** Environment variable: the programs are compiled, and not to be compiled again, as others run them. */
export const compiledAlready = 'TEST_RUN_COMPILED';
