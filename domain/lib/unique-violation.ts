import { violatedConstraint } from '../../db/violated-constraint.js';
import { InvalidInput } from './errors.js';

/** A value that has to be unique in a workspace, and what is said where it is not. */
export interface UniqueValue {
  constraint: string;
  pointer: string;
  message: string;
}

/** What runs a command and says which field is at fault when its value is taken. */
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
