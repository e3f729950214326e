import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export class UnprovedIdentifierModel extends TenantModel {
  static override tableName = 'unproved_identifiers';
  static fields = [
    'id',
    'workspaceId',
    'memberId',
    'channel',
    'address',
    'createdAt',
  ] as const satisfies readonly (keyof RowOf<UnprovedIdentifierModel>)[];

  declare memberId: number;
  declare channel: 'email' | 'phone';
  declare address: string;
  declare createdAt: Date;
}

export type UnprovedIdentifierRow = RowOf<UnprovedIdentifierModel>;
