import Type from 'typebox';
import { campaignNames } from '../../../../domain/identity/accounts/record-acquisition.js';
import { Id, Name, Nullable, Picked, Timestamp, Uuid } from '../../../http/schemas.js';

export const AccountResponse = Picked(
  {
    id: Nullable(Id),
    uuid: Nullable(Uuid),
    loggedIn: Type.Boolean(),
    avatarUrl: Nullable(Type.String()),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    emailVerifiedAt: Nullable(Timestamp),
    phoneVerifiedAt: Nullable(Timestamp),
    name: Nullable(Type.String()),
    createdAt: Nullable(Timestamp),
    isSuperuser: Type.Boolean(),
    enabled: Type.Boolean(),
    signupWorkspaceId: Nullable(Id),
    tosAccepted: Type.Boolean(),
    optedOut: Type.Boolean(),
    paymentCustomerId: Nullable(Type.String()),
    locale: Type.String(),
    timezone: Type.String(),
  },
  { $id: 'AccountResponse' },
);

export const UpdateAccountRequest = Type.Object(
  {
    name: Type.Optional(Name()),
    avatarUrl: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 2_048,
          description:
            'Address of the picture of the person: of a page on the public internet, which begins with https://, or of a file of the service with the access `public`, as `…/w/{workspace_uuid}/sharing/files/{file_id}/contents/{filename}` without a token. Null: none',
        }),
      ),
    ),
    tosAccepted: Type.Optional(Type.Boolean()),
    optedOut: Type.Optional(Type.Boolean()),
    locale: Type.Optional(Type.String({ minLength: 2, maxLength: 35 })),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { $id: 'UpdateAccountRequest' },
);

export const ConfirmAddressRequest = Type.Object(
  { code: Type.String({ pattern: '^[0-9]{6}$', maxLength: 6 }) },
  { $id: 'ConfirmAddressRequest' },
);

const campaignMeanings: Record<(typeof campaignNames)[number], string> = {
  utmSource: 'Where the person came from, such as a newsletter (`utm_source`)',
  utmMedium: 'By what kind of link, such as email or cpc (`utm_medium`)',
  utmCampaign: 'Name of the campaign (`utm_campaign`)',
  utmTerm: 'Words that were searched for (`utm_term`)',
  utmContent: 'Which of several links or advertisements it was (`utm_content`)',
  utmId: 'Id of the campaign (`utm_id`)',
  gclid: 'Click id that an advertising network adds to addresses (`gclid`)',
  gbraid: 'Click id that an advertising network adds to addresses (`gbraid`)',
  wbraid: 'Click id that an advertising network adds to addresses (`wbraid`)',
  dclid: 'Click id that an advertising network adds to addresses (`dclid`)',
  fbclid: 'Click id that an advertising network adds to addresses (`fbclid`)',
  msclkid: 'Click id that an advertising network adds to addresses (`msclkid`)',
  ttclid: 'Click id that an advertising network adds to addresses (`ttclid`)',
  twclid: 'Click id that an advertising network adds to addresses (`twclid`)',
  liFatId: 'Click id that an advertising network adds to addresses (`li_fat_id`)',
};

const touched = (description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: 8_192, description })));

export const AcquisitionRequest = Type.Object(
  {
    ...(Object.fromEntries(campaignNames.map((name) => [name, touched(campaignMeanings[name])])) as Record<
      (typeof campaignNames)[number],
      ReturnType<typeof touched>
    >),
    referrer: touched('Page that led to the first page of the service; kept without query and fragment'),
    landingPage: touched('First page that the person opened; kept without query and fragment'),
  },
  {
    $id: 'AcquisitionRequest',
    additionalProperties: true,
    maxProperties: 100,
    description:
      'Where the person came from. Names are also accepted as they are in addresses (`utm_source`). Other names are passed over, and values are cut to 500 characters.',
  },
);

export const AcquisitionResponse = Type.Object(
  {
    recorded: Type.Boolean({
      description:
        'False: nothing was changed, because it was recorded before, or because the values tell nothing',
    }),
  },
  { $id: 'AcquisitionResponse' },
);
