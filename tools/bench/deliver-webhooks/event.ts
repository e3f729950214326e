import { samplePayloads } from '../../../domain/kernel/events/sample-payloads.js';

/** The event that both floor and service deliver, and its signing secret. */
export const event = { eventType: 'member:updated', payload: samplePayloads['member:updated'] } as const;
export const secret = `whsec_${Buffer.from('32 bytes that nobody has to keep').toString('base64')}`;
