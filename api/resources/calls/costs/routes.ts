import Type, { type Static } from 'typebox';
import { roundPrice } from '../../../../domain/calls/compare-bill.js';
import {
  type CostsOfMonth,
  exportCosts,
  readCosts,
} from '../../../../domain/conversations/calls/read-costs.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Nullable, OneOf } from '../../../http/schemas.js';

const tag = 'Token usage';
const access = workspaceMember({ scope: 'workspace:read', permission: 'workspace:read' });
const currency = Nullable(
  Type.String({ description: 'The currency (ISO 4217); null: of calls without a price' }),
);
const sums = {
  price: Type.Number({ minimum: 0, description: 'What the carrier has charged, as far as it has billed' }),
  calls: Type.Integer({ minimum: 0, description: 'Calls that the carrier had' }),
  durationSeconds: Type.Integer({
    minimum: 0,
    description: 'From the answers to the ends, as the carrier says',
  }),
  unbilled: Type.Integer({
    minimum: 0,
    description: 'Answered calls without a price: the carrier bills later, or never',
  }),
};

const Costs = Type.Object(
  {
    month: Type.String({ description: 'The month, as YYYY-MM' }),
    timezone: Type.String({ description: 'The time zone of the workspace, in which days begin' }),
    totals: Type.Array(Type.Object({ currency, ...sums }), {
      maxItems: 200,
      description: 'The whole month, by currency',
    }),
    items: Type.Array(
      Type.Object({
        date: Type.String({ description: 'The day, as YYYY-MM-DD' }),
        channel: OneOf(['phone-voice'], { description: 'The channel; of others, no price is known' }),
        currency,
        ...sums,
      }),
      { maxItems: 10_000, description: 'Each day with calls, by channel and currency' },
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
    'Sums of the prices that are stored with calls, by day, channel and currency, in the time zone of the workspace. The carrier tells the price of a call, and of none of its texts. What models cost is in credits: `GET W/token-usage`.',
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

function present({ month, timezone, items }: CostsOfMonth): Static<typeof Costs> {
  const currencies = [...new Set(items.map(({ currency: of }) => of))];
  const totals = currencies.map((of) => {
    const own = items.filter((item) => item.currency === of);
    const sum = (field: 'price' | 'calls' | 'durationSeconds' | 'unbilled') =>
      own.reduce((total, item) => total + item[field], 0);
    const counts = {
      calls: sum('calls'),
      durationSeconds: sum('durationSeconds'),
      unbilled: sum('unbilled'),
    };
    return { currency: of, price: roundPrice(sum('price')), ...counts };
  });
  return {
    month,
    timezone,
    totals,
    items: items.map((item) => ({ ...item, channel: 'phone-voice' as const })),
  };
}

export const costRoutes = [read, table];
