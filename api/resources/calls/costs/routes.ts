import Type from 'typebox';
import { roundPrice } from '../../../../domain/calls/compare-bill.js';
import {
  type CostsOfMonth,
  exportCosts,
  readCosts,
} from '../../../../domain/conversations/phone-calls/read-costs.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { type AnswerOf, Nullable, OneOf, Timestamp } from '../../../http/schemas.js';

const tag = 'Token usage';
const access = workspaceMember({ scope: 'workspace:read', permission: 'workspace:read' });
const currency = Nullable(
  Type.String({ description: 'The currency (ISO 4217); null: of calls and texts without a price' }),
);
const sums = {
  price: Type.Number({ minimum: 0, description: 'What the carrier has charged, as far as it has billed' }),
  calls: Type.Integer({ minimum: 0, description: 'Calls that the carrier had' }),
  durationSeconds: Type.Integer({
    minimum: 0,
    description: 'From the answers to the ends, as the carrier says',
  }),
  texts: Type.Integer({
    minimum: 0,
    description: 'Texts that numbers of the workspace sent or received, as the carrier lists them',
  }),
  segments: Type.Integer({ minimum: 0, description: 'SMS segments of the texts' }),
  unbilled: Type.Integer({
    minimum: 0,
    description: 'Answered calls and texts without a price: the carrier bills later, or never',
  }),
};

const textsKnown = (description: string) =>
  Nullable({ ...Timestamp, description: `${description}. Null: no text is known yet` });

const Costs = Type.Object(
  {
    month: Type.String({ description: 'The month, as YYYY-MM' }),
    timezone: Type.String({ description: 'The time zone of the workspace, in which days begin' }),
    textsFrom: textsKnown('Since when texts are known: of earlier ones, no price is'),
    textsUntil: textsKnown(
      'Until when texts are known: the next look at the list of the carrier is within a day',
    ),
    totals: Type.Array(Type.Object({ currency, ...sums }), {
      maxItems: 200,
      description: 'The whole month, by currency',
    }),
    items: Type.Array(
      Type.Object({
        date: Type.String({ description: 'The day, as YYYY-MM-DD' }),
        channel: OneOf(['phone-voice', 'phone-sms'], {
          description: 'The channel; the others have no carrier',
        }),
        currency,
        ...sums,
      }),
      { maxItems: 10_000, description: 'Each day with calls or texts, by channel and currency' },
    ),
  },
  { $id: 'CostsResponse' },
);

const CostsQuery = Type.Object({
  month: Type.Optional(
    Type.String({
      pattern: '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$',
      maxLength: 7,
      description: 'The month, as YYYY-MM; the current one by default',
    }),
  ),
});

const read = defineRoute({
  operationId: 'getCosts',
  method: 'GET',
  path: '/w/{workspace_uuid}/costs',
  tag,
  summary: 'Get what the carrier has charged in a month',
  description:
    'Sums of the prices of calls and texts, by day, channel and currency, in the time zone of the workspace. The carrier tells the price of a text some time after it was sent, and is asked once a day. Emails have no price, and what models cost is in credits: `GET W/token-usage`.',
  access,
  query: CostsQuery,
  response: { status: 200, schema: Costs },
  handler: async ({ context, query }) => present(await readCosts(context, query)),
});

const table = defineRoute({
  operationId: 'exportCosts',
  audit: { not: 'It hands out sums of money, and nothing of people.' },
  method: 'GET',
  path: '/w/{workspace_uuid}/costs/export',
  tag,
  summary: 'Export what the carrier has charged in a month as a CSV file',
  description: 'One row for each day, channel and currency, as in `items` of `GET W/costs`.',
  access,
  query: CostsQuery,
  response: { status: 200, stream: 'text/csv', description: 'The file' },
  handler: async ({ context, query }) => exportCosts(context, query),
});

function present({ month, timezone, textsKnown, items }: CostsOfMonth): AnswerOf<typeof Costs> {
  const currencies = [...new Set(items.map(({ currency: of }) => of))];
  const totals = currencies.map((of) => {
    const own = items.filter((item) => item.currency === of);
    const sum = (field: keyof typeof sums) => own.reduce((total, item) => total + item[field], 0);
    return {
      currency: of,
      price: roundPrice(sum('price')),
      calls: sum('calls'),
      durationSeconds: sum('durationSeconds'),
      texts: sum('texts'),
      segments: sum('segments'),
      unbilled: sum('unbilled'),
    };
  });
  return {
    month,
    timezone,
    textsFrom: textsKnown?.from ?? null,
    textsUntil: textsKnown?.until ?? null,
    totals,
    items,
  };
}

export const costRoutes = [read, table];
