import { describe, expect, it } from 'vitest';
import { endDetails, stepSummary, type Wait, waitDetails, waitSummary } from '../../workflows/call-words.js';
import { markdownName, shortName } from '../../workflows/contracts/names.js';
import type { DeliveryDone } from '../../workflows/contracts/steps.js';
import { DeliveryTally } from '../../workflows/delivery-tally.js';
import { Place } from '../../workflows/place.js';

describe('a name', () => {
  it('is shortened to sixty characters, none of them cut in half', () => {
    expect(shortName('Your details')).toBe('Your details');
    expect(shortName('🧭'.repeat(60))).toBe('🧭'.repeat(60));
    expect(shortName('🧭'.repeat(61))).toBe(`${'🧭'.repeat(59)}…`);
  });

  it('is no markup in details', () => {
    expect(markdownName('![here](https://tracker.example/x.png) **now** `a` <b>')).toBe(
      '\\!\\[here\\](https://tracker.example/x.png) \\*\\*now\\*\\* \\`a\\` \\<b\\>',
    );
  });
});

describe('the tally of a delivery run', () => {
  const done = (messageId: number, state: string, reason?: string): DeliveryDone => ({
    act: 'send',
    messageId,
    state,
    ...(reason === undefined ? {} : { reason }),
  });

  it('counts each message once, in its last state', () => {
    const tally = new DeliveryTally();
    expect(tally.inWords()).toBe('So far nothing was to be sent.');
    tally.add(done(12, 'claimed'));
    tally.add(done(13, 'failed', 'opted_out'));
    tally.add(done(12, 'sent'));
    tally.add(done(14, 'queued'));

    expect(tally.totals()).toEqual({ messages: 3, sent: 1, failed: 1, failures: { 13: 'opted_out' } });
    expect(tally.inWords()).toBe('Messages handed over: 1; failed: 1 (message 13: `opted_out`).');
  });
});

describe('the place of a run', () => {
  it('is named in a summary, with the task that it has come from since the last one', () => {
    const place = new Place();
    expect(place.inWords()).toBe('');
    place.taskName = 'Hall';
    expect(place.inWords()).toBe(' in “Hall”');
    place.taskName = 'Corridor';
    place.taskName = 'Open';
    expect(place.inWords()).toBe(' in “Open”, from “Hall”');
    expect(place.inWords()).toBe(' in “Open”');
  });

  it('leaves room in the 400 bytes of a summary, whatever the names are', () => {
    const place = new Place();
    place.taskName = '🧭'.repeat(200);
    place.inWords();
    place.taskName = `${place.taskName}!`;
    const summary = `Wait${place.inWords()}, at most until ${new Date(0).toISOString()}, to look again`;
    expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThan(400);
  });
});

describe('the words of a call', () => {
  const answeredAt = Date.now() - 72_000;
  const time = new Date(answeredAt).toISOString().slice(11, 19);
  const until = Date.now() + 300_000;
  const input = {
    workspaceId: 1,
    workspaceUuid: 'w',
    chatId: 2,
    memberId: 3,
    callId: 4,
    direction: 'inbound',
  };
  const up: Wait = {
    kind: 'wait',
    until,
    for: 'end',
    call: {
      answeredAt,
      speaksWith: 'agent',
      taskName: 'Your *details*',
      transfer: { to: 'front desk', state: 'busy' },
    },
  };

  it('say since when it is up, where it is, who speaks, and what became of the transfer', () => {
    const details = waitDetails(input as never, up);
    expect(details).toMatch(/^Call 4 \(inbound\) with member 3 in chat 2: at \d\d:\d\d:\d\dZ, answered /);
    expect(details).toMatch(
      new RegExp(`answered ${time}Z, 1 min 1[23] s, in “Your \\\\\\*details\\\\\\*”, `),
    );
    expect(details).toContain(
      'speaks with the agent; transfer to front desk: `busy`. It is looked at again at 2',
    );
    expect(waitSummary(up)).toBe(
      `Wait for the end of the call: answered ${time}Z, in “Your *details*”, speaks with the agent`,
    );
  });

  it('say of a step of an earlier release that the call goes on', () => {
    expect(waitDetails(input as never, { kind: 'wait', until, for: 'end' })).toContain(
      'goes on, and is looked at',
    );
    expect(waitSummary({ kind: 'wait', until, for: 'end' })).toBe('Wait for the end of the call');
  });

  it('name each step by what was waited for', () => {
    expect(stepSummary(input as never, 'begin')).toBe('Look at the call that came in');
    expect(stepSummary({ ...input, direction: 'outbound' } as never, 'begin')).toBe('Dial the call');
    expect(stepSummary(input as never, 'bill')).toBe('Ask what the call cost');
    expect(stepSummary(input as never, undefined)).toBe('Take the next step of the call');
  });

  it('say how it ended, how long it took and what it used', () => {
    const ended = { status: 'completed', reason: 'forward', transfer: 'busy', seconds: 72, credits: 12.5 };
    expect(endDetails(input as never, ended)).toMatch(
      /: ended, `completed`, `forward`, transfer `busy`, 1 min 12 s, 12.5 credits\.$/,
    );
    const wait: Wait = { kind: 'wait', until, for: 'bill', ended };
    expect(waitSummary(wait)).toBe(
      'Wait for the bill: ended, completed, forward, transfer busy, 1 min 12 s, 12.5 credits',
    );
    expect(waitDetails(input as never, wait)).toContain('12.5 credits. What it cost is asked at 2');
    expect(endDetails(input as never, { status: 'busy' })).toMatch(/: ended, `busy`\.$/);
  });
});
