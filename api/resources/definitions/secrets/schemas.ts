import Type from 'typebox';
import { secretNamePattern } from '../../../../domain/kernel/ability-configs.js';
import { Id, Nullable, Picked, Time, Timestamp, Uuid } from '../../../http/schemas.js';
import { UsingWorkflows } from '../using-workflows-schema.js';

const SecretName = Type.String({
  minLength: 1,
  maxLength: 63,
  pattern: secretNamePattern,
  description: 'What requests call it',
});
const Value = Type.String({
  minLength: 8,
  maxLength: 4_096,
  pattern: '^[!-~]([ -~]*[!-~])?$',
  description: 'Visible ASCII characters, and spaces within. No answer ever has it',
});
const Hosts = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 10,
  description:
    'The only hosts that it is sent to, such as api.example.com, with a port if it is not 443. The workspace has to allow them as well (`requestHosts`)',
});

export const SecretResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String({ description: 'What requests call it' }),
    hosts: Type.Array(Type.String(), { description: 'The only hosts that it is sent to' }),
    valueChangedAt: Time({ description: 'When it got its value' }),
    refusedAt: Nullable(
      Time({
        description: 'Since when a host refuses this value (401); null: it is taken, or has not been used',
      }),
    ),
    workflows: UsingWorkflows,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'SecretResponse' },
);

export const CreateSecretRequest = Type.Object(
  { name: SecretName, value: Value, hosts: Hosts },
  { $id: 'CreateSecretRequest' },
);

export const UpdateSecretRequest = Type.Object(
  { value: Value, hosts: Type.Optional(Hosts) },
  { $id: 'UpdateSecretRequest' },
);
