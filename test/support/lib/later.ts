/** Stands for an object that a hook creates: tests can name it at once, and use it once the suite runs. */
export function later<T extends object>(get: () => T | undefined): T {
  const made = (): T => {
    const thing = get();
    if (thing === undefined) throw new Error('there is nothing before the suite has begun');
    return thing;
  };
  return new Proxy({} as T, {
    get: (_, name) => {
      const thing = made();
      const value = Reflect.get(thing, name);
      // Methods of a class need the object itself.
      const isMethod = typeof value === 'function' && !Object.hasOwn(thing, name);
      return isMethod ? value.bind(thing) : value;
    },
  });
}
