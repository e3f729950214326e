import { beforeEach, describe, expect, it } from 'vitest';
import { type EmailOfWorkspace, emailsAtOnce, MailPlaces } from '../../../providers/mail/mail-places.js';
import { MovedClock } from '../../support/lib/moved-clock.js';

let clock: MovedClock;
let places: MailPlaces;
beforeEach(() => {
  clock = new MovedClock();
  places = new MailPlaces({ now: () => clock.now() });
});

const at = (workspaceId: number, host: string | null, port = 465): EmailOfWorkspace => ({
  workspaceId,
  server: host === null ? null : { host, port },
});
const enter = (email: EmailOfWorkspace, times: number) =>
  Array.from({ length: times }, () => places.enter(email));
const inside = (entered: ReturnType<typeof enter>) => entered.filter(({ kind }) => kind === 'place').length;
const waitsOf = (entered: ReturnType<typeof enter>) =>
  entered.flatMap((one) => (one.kind === 'full' ? [one.waitMs] : []));

describe('places at mail servers', () => {
  it('leave room for other workspaces while the servers of one hang, however many it has', () => {
    const { ofWorkspace } = emailsAtOnce.otherServers;
    const hanging = Array.from({ length: 20 }, (_, index) => at(1, `n${index}.example`));
    expect(hanging.filter((email) => places.enter(email).kind === 'place')).toHaveLength(ofWorkspace);

    expect(inside(enter(at(2, 'other.example'), 20))).toBe(ofWorkspace);
    expect(inside(enter(at(2, null), 20))).toBe(emailsAtOnce.relay.ofWorkspace);
  });

  it('leave room for other servers while one hangs for many workspaces', () => {
    const many = [1, 2, 3, 4].flatMap((workspaceId) => enter(at(workspaceId, 'slow.example'), 3));
    expect(inside(many)).toBe(emailsAtOnce.otherServers.atServer);

    expect(inside(enter(at(5, 'slow.example', 587), 3))).toBe(3);
    expect(places.enter(at(6, 'other.example')).kind).toBe('place');
  });

  it('are limited in all, at the relay as well', () => {
    const workspaces = Array.from({ length: 20 }, (_, index) => index);
    const elsewhere = workspaces.flatMap((id) => enter(at(id, `n${id}.example`), 3));
    expect(inside(elsewhere)).toBe(emailsAtOnce.otherServers.all);
    expect(inside(workspaces.flatMap((id) => enter(at(id, null), 3)))).toBe(emailsAtOnce.relay.all);
  });

  it('are free again when they are left, once each', () => {
    const [first, second] = enter(at(1, 'a.example'), 3);
    if (first?.kind !== 'place' || second?.kind !== 'place') throw new Error('it has no place');
    first.leave();
    first.leave();
    expect(inside(enter(at(1, 'a.example'), 3))).toBe(1);
    second.leave();
    expect(inside(enter(at(1, 'a.example'), 3))).toBe(1);
  });

  it('are asked for one after the other, as fast as emails are sent', () => {
    enter(at(1, 'a.example'), 3);
    clock.advance(6_000);
    expect(waitsOf(enter(at(1, 'a.example'), 4))).toEqual([2_000, 4_000, 6_000, 8_000]);

    clock.advance(2_000);
    // The oldest has taken 8 s by now.
    expect(Math.round(waitsOf(enter(at(1, 'a.example'), 1))[0] ?? 0)).toBe(6_000 + 2_667);
    // Another workspace has a line of its own.
    enter(at(2, 'a.example'), 2);
    expect(Math.round(waitsOf(enter(at(2, 'a.example'), 1))[0] ?? 0)).toBe(333);
  });

  it('are asked for within ten minutes, however many wait', () => {
    enter(at(1, 'a.example'), 3);
    clock.advance(90_000);
    expect(Math.max(...waitsOf(enter(at(1, 'a.example'), 10_000)))).toBe(10 * 60_000);
  });
});
