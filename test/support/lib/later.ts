/** Stands for a plain object that a hook creates: tests can name it at once, and use it once the suite runs. */
export function later<T extends object>(get: () => T | undefined): T {
  const made = (): T => {
    const thing = get();
    if (thing === undefined) throw new Error('there is nothing before the suite has begun');
    return thing;
  };
  return new Proxy({} as T, { get: (_, name) => Reflect.get(made(), name) });
}
