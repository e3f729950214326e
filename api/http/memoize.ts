/**
 * Memoizes a function of an immutable object, such as a route or a schema: compiling all of them takes two seconds of
 * processor time, and a process may serve them by several applications.
 */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
