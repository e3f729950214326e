import { describe, expect, it } from 'vitest';
import { looksLikeAddress, senderName } from '../../../domain/lib/sender-name.js';

describe('the name of a sender', () => {
  it.each([
    ['Real Bank <bank@bank.example>', 'Real Bank bank bank.example'],
    ['desk@clinic.example', 'desk clinic.example'],
    ['Bank ＜bank＠bank.example＞', 'Bank bank bank.example'],
    ['Bank ﹤bank﹫bank.example﹥', 'Bank bank bank.example'],
    ['<@>', ''],
  ])('%s looks like an address, and is sent without what an address has', (name, sent) => {
    expect(looksLikeAddress(name)).toBe(true);
    expect(senderName(name)).toBe(sent);
  });

  it.each(['Front desk', 'Dr. Müller & Söhne', '診療所の受付', "O'Neill (Clinic), 24/7"])(
    '%s is sent as it is',
    (name) => {
      expect(looksLikeAddress(name)).toBe(false);
      expect(senderName(name)).toBe(name);
    },
  );
});
