import type { Knex } from 'knex';

declare const inWorkspace: unique symbol;

/** A transaction inside a workspace that the database has entered, but this process may not know yet. */
export type EnteredTx = Knex & { readonly [inWorkspace]: true };

/** A transaction inside one workspace. */
export type Tx = EnteredTx & { readonly workspaceId: number };

/** A transaction around several commands. `workspaceId` is null where it concerns an account only. */
export type OuterTx = Knex & { readonly workspaceId: number | null };

/** A transaction outside every workspace: for schema `identity`, and for outbox entries without a workspace. */
export type IdentityTx = Knex & { readonly workspaceId: null };

export type AnyTx = Tx | IdentityTx;
