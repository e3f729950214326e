/** Environment variable: the run ends with its starter, which holds the other end of its input. */
export const endsWithStarter = 'TEST_RUN_ENDS_WITH_STARTER';
/** Environment variable: the programs are compiled, and not to be compiled again, as others run them. */
export const compiledAlready = 'TEST_RUN_COMPILED';

/** What a program of ours is given of this process: where programs are, and what was compiled before (`.ci/run`). */
export const passedOn = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
