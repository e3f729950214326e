import { describe, expect, it } from 'vitest';
import { readCarrierMessage, readUsualFrame } from '../../../media/streams/carrier-messages.js';

const read = (message: unknown) => readCarrierMessage(JSON.stringify(message));
const start = {
  event: 'start',
  sequenceNumber: '1',
  streamSid: 'MZ1',
  start: {
    streamSid: 'MZ1',
    accountSid: 'AC1',
    callSid: 'CA1',
    tracks: ['inbound'],
    customParameters: { token: 't', call: 'c' },
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
};

it('reads every message of the protocol', () => {
  expect(read({ event: 'connected', protocol: 'Call', version: '1.0.0' })).toEqual({ event: 'connected' });
  expect(read(start)).toEqual({
    event: 'start',
    streamId: 'MZ1',
    carrierCallId: 'CA1',
    isPlayable: true,
    parameters: { token: 't', call: 'c' },
  });
  const media = { track: 'inbound', chunk: '4', timestamp: '80', payload: '////' };
  expect(read({ event: 'media', sequenceNumber: '5', streamSid: 'MZ1', media })).toEqual({
    event: 'media',
    streamId: 'MZ1',
    payload: '////',
    timestampMs: 80,
  });
  expect(read({ event: 'dtmf', streamSid: 'MZ1', dtmf: { track: 'inbound_track', digit: '#' } })).toEqual({
    event: 'dtmf',
    streamId: 'MZ1',
    digit: '#',
  });
  expect(read({ event: 'mark', streamSid: 'MZ1', mark: { name: 'm' } })).toEqual({
    event: 'mark',
    streamId: 'MZ1',
    name: 'm',
  });
  expect(read({ event: 'stop', streamSid: 'MZ1', stop: { callSid: 'CA1' } })).toEqual({
    event: 'stop',
    streamId: 'MZ1',
  });
});

it.each([
  { track: 'inbound', chunk: '4', timestamp: '80', payload: 'f/+A' },
  { payload: 'f/+A', timestamp: '80', chunk: '4', track: 'inbound' },
  { track: 'inbound', chunk: '4', timestamp: '80', payload: 'f/+A', later: { field: true } },
])('reads a frame whatever the order of its fields: %j', (media) => {
  const told = { event: 'media', streamId: 'MZ1', payload: 'f/+A', timestampMs: 80 };
  expect(read({ event: 'media', sequenceNumber: '5', streamSid: 'MZ1', media })).toEqual(told);
  expect(read({ media, streamSid: 'MZ1', event: 'media' })).toEqual(told);
});

it('passes by what it does not know: later kinds, and the track that is our own', () => {
  expect(read({ event: 'weather', streamSid: 'MZ1' })).toEqual({ event: 'other' });
  const media = { track: 'outbound', timestamp: '80', payload: '////' };
  expect(read({ event: 'media', streamSid: 'MZ1', media })).toEqual({ event: 'other' });
});

it.each([undefined, 'soon', '-20', '1e9', 20.5, null, '9'.repeat(30)])(
  'takes the timestamp %j for none',
  (timestamp) => {
    const message = read({ event: 'media', streamSid: 'MZ1', media: { payload: '////', timestamp } });
    expect(message).toMatchObject({ timestampMs: Number.NaN });
  },
);

describe('refuses', () => {
  it.each([
    ['', 'nothing'],
    ['{', 'what is no JSON'],
    ['null', 'null'],
    ['[{"event":"stop"}]', 'an array'],
    ['{"event":7,"streamSid":"MZ1"}', 'an event that is no text'],
    ['{"event":"stop"}', 'an event of no stream'],
    ['{"event":"media","streamSid":"MZ1"}', 'media without media'],
    ['{"event":"media","streamSid":"MZ1","media":{"payload":7}}', 'a payload that is no text'],
    ['{"event":"dtmf","streamSid":"MZ1","dtmf":{"digit":"12"}}', 'two digits'],
    ['{"event":"mark","streamSid":"MZ1","mark":null}', 'a mark without a name'],
    ['{"event":"start","start":{"callSid":"CA1"}}', 'a start of no stream'],
    ['{"event":"start","streamSid":"MZ1","start":{}}', 'a start of no call'],
  ])('%s: %s', (text) => {
    expect(readCarrierMessage(text)).toBeUndefined();
  });

  it.each([
    { encoding: 'audio/x-l16', sampleRate: 8000, channels: 1 },
    { encoding: 'audio/x-mulaw', sampleRate: 16000, channels: 1 },
    { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 2 },
    undefined,
  ])('to play %j', (mediaFormat) => {
    expect(read({ ...start, start: { ...start.start, mediaFormat } })).toMatchObject({ isPlayable: false });
  });

  it('parameters that are no texts', () => {
    const customParameters = { token: { length: 3 }, call: ['c'], workspace: 'w' };
    expect(read({ ...start, start: { ...start.start, customParameters } })).toMatchObject({
      parameters: { workspace: 'w' },
    });
  });
});

describe('readUsualFrame', () => {
  const media = { track: 'inbound', chunk: '4', timestamp: '80', payload: '/v7+AA==' };
  const frame = JSON.stringify({ event: 'media', sequenceNumber: '5', streamSid: 'MZ1', media });

  it('reads a frame as the carrier writes it', () => {
    expect(readUsualFrame(Buffer.from(frame))).toEqual({
      event: 'media',
      streamId: 'MZ1',
      payload: '/v7+AA==',
      timestampMs: 80,
    });
    expect(readUsualFrame(Buffer.from(frame))).toEqual(readCarrierMessage(frame));
  });

  it.each([
    JSON.stringify({ event: 'media', streamSid: 'MZ1', media }),
    frame.replace('inbound', 'outbound'),
    frame.replace('/v7+', '\\u002f'),
    frame.replace('/v7+', 'ä'),
    `${frame} `,
  ])('leaves all else to be read as JSON: %s', (text) => {
    expect(readUsualFrame(Buffer.from(text))).toBeUndefined();
  });
});
