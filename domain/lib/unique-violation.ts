import { violatedConstraint } from '../../db/postgres-errors.js';
import { InvalidInput } from './errors.js';

export interface UniqueValue {
  constraint: string;
  pointer: string;
  message: string;
}

/** Returns a wrapper that runs a command and turns a unique violation of this constraint into an error of the field. */
export function mappingUniqueViolation({ constraint, pointer, message }: UniqueValue) {
  return async <T>(command: () => Promise<T>): Promise<T> => {
    try {
      return await command();
    } catch (error) {
      if (violatedConstraint(error) !== constraint) throw error;
      throw InvalidInput.field(pointer, message, 'duplicate');
    }
  };
}
