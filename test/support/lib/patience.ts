/** How long tests wait for something that comes in milliseconds, unless all cores are busy with other tests. */
export const patienceMs = 45_000;
