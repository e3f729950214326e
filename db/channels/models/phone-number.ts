import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class PhoneNumberModel extends TenantModel {
  static override tableName = 'phone_numbers';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'number',
    'name',
    'smsEnabled',
    'voiceEnabled',
    'inboundDefinitionId',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<PhoneNumberModel>)[];

  declare uuid: string;
  declare number: string;
  declare name: string;
  declare smsEnabled: boolean;
  declare voiceEnabled: boolean;
  declare inboundDefinitionId: number | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type PhoneNumberRow = RowOf<PhoneNumberModel>;
