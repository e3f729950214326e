/** The tools that tasks bring with them. Those of abilities are called like the type of the ability. */
export const toolsOfTasks = ['select_task', 'complete_task', 'prove_identity', 'opt_out'] as const;
