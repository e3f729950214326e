import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Admission, type AdmissionTerms } from '../../../domain/lib/admission.js';

type Kind = 'workspace' | 'account';

class Full extends Error {
  constructor(
    readonly full: Kind | 'slots',
    readonly bound: number,
  ) {
    super(full);
  }
}

const refuse = (full: Kind | 'slots', bound: number) => new Full(full, bound);
const open = (terms: Partial<AdmissionTerms<Kind>> = {}) =>
  new Admission<Kind>({ slots: 5, each: { workspace: 2, account: 2 }, timeoutMs: 50, refuse, ...terms });
const full = (kind: Kind | 'slots') => ({ full: kind });

/** What is waited for, if it is admitted at once; otherwise `waits`. */
const now = (waiting: Promise<unknown>) => Promise.race([waiting, 'waits']);

describe('work that is admitted', () => {
  it('is bounded for one holder, while others still get their slots', async () => {
    const admission = open();
    const leave = await admission.wait({ workspace: 'a' });
    admission.admit({ workspace: 'a' });
    expect(() => admission.admit({ workspace: 'a' })).toThrow('workspace');
    await expect(admission.wait({ workspace: 'a' })).rejects.toMatchObject({ full: 'workspace', bound: 2 });
    await expect(admission.wait({ workspace: 'b' })).resolves.toBeTypeOf('function');

    const third = admission.wait({ workspace: 'a' });
    leave();
    await expect(third).resolves.toBeTypeOf('function');
  });

  it('counts for an account over all its workspaces', async () => {
    const admission = open();
    admission.admit({ workspace: 1, account: 1 });
    admission.admit({ workspace: 2, account: 1 });
    await expect(admission.wait({ workspace: 3, account: 1 })).rejects.toMatchObject(full('account'));
    await expect(admission.wait({ workspace: 3, account: 2 })).resolves.toBeTypeOf('function');
    await expect(admission.wait({ workspace: undefined })).resolves.toBeTypeOf('function');
  });

  it('is bounded for each holder of a kind by itself', () => {
    const admission = open({ slots: 100, each: { workspace: 2, account: 3 } });
    for (const workspace of ['a', 'a', 'b', 'b']) admission.admit({ workspace });

    expect(() => admission.admit({ workspace: 'a' })).toThrow('workspace');
    expect(() => admission.admit({ workspace: 'b' })).toThrow('workspace');
    expect(() => admission.admit({ workspace: 'c' })).not.toThrow();
    for (let count = 0; count < 3; count += 1) admission.admit({ account: 'a' });
    expect(() => admission.admit({ account: 'a' })).toThrow('account');
  });

  it('is bounded for a holder only once most slots are taken, where the terms say so', () => {
    const admission = open({ slots: 100, crowdedFrom: 5 });
    const admitted = (workspace: number) =>
      Array.from({ length: 9 }, () => {
        try {
          return admission.admit({ workspace });
        } catch {
          return undefined;
        }
      }).filter((leave) => leave !== undefined);

    expect(admitted(1)).toHaveLength(5);
    expect(admitted(2)).toHaveLength(2);
    expect(admitted(3)).toHaveLength(2);
  });

  it('gives its slot back once, however often it says so', () => {
    const admission = open({ slots: 2 });
    const leave = admission.admit({ workspace: 'a' });
    admission.admit({ workspace: 'a' });
    expect(() => admission.admit({ workspace: 'a' })).toThrow('workspace');
    leave();
    leave();
    admission.admit({ workspace: 'a' });
    expect(() => admission.admit({ workspace: 'b' })).toThrow('slots');
  });

  it('gives its slot back when it is done, and when it fails', async () => {
    const admission = open({ slots: 1 });
    const failing = admission.run({ workspace: 'a' }, () => Promise.reject(new Error('failed')));
    const next = admission.run({ workspace: 'a' }, async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
    expect(admission.size).toBe(0);
    expect(() => admission.admit({})).not.toThrow();
  });

  it('begins at once where there is room', () => {
    let hasStarted = false;
    void open().run({ workspace: 'a' }, async () => {
      hasStarted = true;
    });
    expect(hasStarted).toBe(true);
  });

  it('never exceeds the bound of its holder, however much comes at once', async () => {
    const admission = open({ slots: 100, each: { workspace: 4, account: 4 }, timeoutMs: 60_000 });
    let held = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 500 }, () =>
        admission.run({ workspace: 'a' }, async () => {
          held += 1;
          most = Math.max(most, held);
          await new Promise(setImmediate);
          held -= 1;
        }),
      ),
    );

    expect(most).toBe(4);
    expect(admission.size).toBe(0);
  });
});

describe('work that waits', () => {
  const patient = { timeoutMs: 60_000 };

  it('is admitted by who has the fewest slots, before what others asked for earlier', async () => {
    const admission = open({ slots: 2, timeoutMs: 5_000 });
    const order: string[] = [];
    const take = async (name: string, holders: { workspace?: string }) => {
      const leave = await admission.wait(holders);
      order.push(name);
      return leave;
    };
    const held = [await take('a1', { workspace: 'a' }), await take('a2', { workspace: 'a' })];
    const [a3, a4] = [take('a3', { workspace: 'a' }), take('a4', { workspace: 'a' })];
    const [b1, nobody] = [take('b1', { workspace: 'b' }), take('nobody', {})];

    held[0]?.();
    (await b1)();
    (await nobody)();
    await a3;
    held[1]?.();
    await a4;
    expect(order).toEqual(['a1', 'a2', 'b1', 'nobody', 'a3', 'a4']);
  });

  it('is admitted in order for one holder, before what comes later', async () => {
    const admission = open({ each: { workspace: 1, account: 1 } });
    const order: number[] = [];
    let leave = await admission.wait({ workspace: 'a' });
    const waiting = [1, 2, 3].map(async (number) => {
      const next = await admission.wait({ workspace: 'a' }, patient);
      order.push(number);
      return next;
    });
    for (const next of waiting) {
      leave();
      expect(() => admission.admit({ workspace: 'a' })).toThrow('workspace');
      leave = await next;
    }

    expect(order).toEqual([1, 2, 3]);
  });

  it('is admitted together when one slot makes room for several', async () => {
    const admission = open({ each: { workspace: 1, account: 1 } });
    const leave = await admission.wait({ workspace: 1, account: 1 });
    const waiting = [admission.wait({ workspace: 1 }, patient), admission.wait({ account: 1 }, patient)];
    leave();
    await expect(Promise.all(waiting)).resolves.toHaveLength(2);
  });

  it('is bounded in number and time, and told whether its holder or all slots are full', async () => {
    const admission = open({ slots: 1, each: { workspace: 1, account: 1 }, maxWaiting: 2 });
    admission.admit({ workspace: 'a' });
    const waiting = Promise.allSettled([
      admission.wait({ workspace: 'a' }),
      admission.wait({ workspace: 'a' }),
    ]);
    await expect(admission.wait({ workspace: 'a' })).rejects.toMatchObject(full('workspace'));
    await expect(admission.wait({ workspace: 'b' })).rejects.toMatchObject(full('slots'));
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('takes no slot once it has waited for too long', async () => {
    const admission = open({ slots: 1, each: { workspace: 1, account: 1 } });
    const leave = await admission.wait({ workspace: 'a' });
    await expect(admission.wait({ workspace: 'a' })).rejects.toMatchObject(full('workspace'));
    leave();
    for (let count = 0; count < 3; count += 1) (await admission.wait({ workspace: 'a' }))();
  });

  it('ends its wait on timeout and when it is aborted, and leaves nothing behind', async () => {
    const admission = open({ each: { workspace: 1, account: 1 } });
    const leave = await admission.wait({ workspace: 'a' });
    const abortion = new AbortController();
    const aborted = admission.wait({ workspace: 'a' }, { ...patient, signal: abortion.signal });
    await expect(admission.wait({ workspace: 'a' }, { timeoutMs: 20 })).rejects.toThrow('workspace');
    abortion.abort();
    await expect(aborted).rejects.toThrow('workspace');
    const late = admission.wait({ workspace: 'a' }, { ...patient, signal: abortion.signal });
    await expect(late).rejects.toThrow('workspace');

    leave();

    expect(admission.size).toBe(0);
    expect(() => admission.admit({ workspace: 'a' })).not.toThrow();
  });

  it('is refused at once if it is unlikely to be admitted in time', async () => {
    const admission = open({ each: { workspace: 1, account: 1 } });
    admission.admit({ workspace: 'a' });
    const waiting = admission.wait({ workspace: 'a' }, { ...patient, defaultMs: 60_000 });

    for (const defaultMs of [30_001, 60_001]) {
      const refused = now(admission.wait({ workspace: 'a' }, { ...patient, defaultMs }));
      await expect(refused).rejects.toThrow('workspace');
    }
    expect(await now(waiting)).toBe('waits');
  });

  it('learns from the slots of its holder how long they are held', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const admission = open();
    const leave = admission.admit({ workspace: 'a' });
    vi.advanceTimersByTime(1_000);
    admission.admit({ workspace: 'a' });
    const impatient = { timeoutMs: 499, defaultMs: 0 };

    await expect(now(admission.wait({ workspace: 'a' }, impatient))).rejects.toThrow('workspace');
    leave();
    admission.admit({ workspace: 'a' });
    expect(await now(admission.wait({ workspace: 'a' }, impatient))).toBe('waits');
  });
});
