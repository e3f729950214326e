/** How a query is read of what no stream tells of: anew with each page, and by who comes back to the window. */
export const changedByOthers = { staleTime: 0, refetchOnWindowFocus: 'always' } as const;
