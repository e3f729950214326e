import Type from 'typebox';
import { type AnswerOf, Nullable, OneOf, Picked, Time, Timestamp } from '../../../http/schemas.js';

const time = (description: string) => Nullable(Time({ ...Timestamp, description }));

export const SiteDomainResponse = Picked(
  {
    domain: Type.String({ description: 'The domain in punycode, lower case' }),
    isMapped: Type.Boolean({ description: 'Whether the domain leads to the site' }),
    recordName: Type.String({ description: 'Name of the TXT record that proves the domain' }),
    recordValue: Type.String({ description: 'What the TXT record has to say' }),
    provedAt: time('When the proof was found; null: it was not found yet, or the domain has lapsed'),
    checkedAt: time('When the record was last looked up'),
    failure: Nullable(
      OneOf(['record_missing', 'record_differs', 'dns_unavailable'], {
        description:
          'Why the last look found no proof: there is no TXT record, none has the value, or no DNS server answered; null: it was found, or not looked for yet',
      }),
    ),
    failingSince: time('Since when each look at the mapped domain has failed'),
    lapsedAt: time('When the domain ceased to lead to the site, because its proof was gone'),
    expiresAt: time('When the claim ends, unless it is proved before; null: it is proved'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'SiteDomainResponse' },
);
export type SiteDomainResponse = AnswerOf<typeof SiteDomainResponse>;

export const ClaimDomainRequest = Type.Object({
  domain: Type.String({
    minLength: 1,
    maxLength: 253,
    description: 'A domain below a public suffix, such as www.example.com, without https:// and a path',
  }),
});
