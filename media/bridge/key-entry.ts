/** What a caller has entered by keys. */
export interface Entered {
  digits: string;
  /** The field that was asked for when the first key was pressed, or, if none was, while others were. */
  field: string | undefined;
}

interface KeyTimer {
  set(name: 'keys', ms: number, run: () => void): void;
  clear(name: 'keys'): void;
}

const maxKeys = 64;
/** An entry ends if no key follows for so long. */
const patienceMs = 3_000;

/** Keys are one entry until `#`, or until none follows for a while. */
export class KeyEntry {
  readonly #timer: KeyTimer;
  readonly #entered: (entered: Entered) => void;
  #current: Entered | undefined;

  constructor(timer: KeyTimer, entered: (entered: Entered) => void) {
    this.#timer = timer;
    this.#entered = entered;
  }

  get isEntering(): boolean {
    return this.#current !== undefined;
  }

  /** @param field that the keys are for, unless an entry for another one is under way */
  begin(field: string | undefined): void {
    this.#current ??= { digits: '', field };
    // Somebody who knows the question is quicker than it: a secret is no less one.
    this.#current.field ??= field;
  }

  press(digit: string): void {
    if (this.#current === undefined) return;
    if (digit !== '#') this.#current.digits += digit;
    if (digit === '#' || this.#current.digits.length >= maxKeys) this.#end();
    else this.#timer.set('keys', patienceMs, () => this.#end());
  }

  #end(): void {
    this.#timer.clear('keys');
    const entered = this.#current;
    this.#current = undefined;
    if (entered !== undefined) this.#entered(entered);
  }
}
