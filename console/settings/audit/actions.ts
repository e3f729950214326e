import type { Schemas } from '../../kit/api.js';

export type AuditEvent = Schemas['AuditEventResponse'];

/** What the audit log records: the kind of thing before the colon, and what was done to it. A test compares them with the API. */
export const auditActions =
  `session:begun session:ended sessions:ended login:refused account:updated account:enabled account:disabled address:changed
identity:linked payment_customer:changed api_key:created api_key:updated api_key:rotated api_key:revoked application:created
application:updated application:secret_rotated application:deleted application:connected application:refused
application:disconnected workspace:created organization:created organization:updated organization:joined organization:left
organization_member:added organization_member:updated organization_member:removed invitation:created invitation:withdrawn
identity_provider:set identity_provider:removed workspace:joined workspace:left sso_only:begun sso_only:ended
support_access:taken access:denied member_token:created member_token:revoked member_import:requested member_import:ended
member:role_changed member:enabled member:disabled member:deleted member:erased role:created role:updated role:deleted
workspace:held workspace:resumed workspace:updated secret:created secret:rotated secret:deleted mcp_server:created
mcp_server:updated mcp_server:deleted mcp_tool:allowed mcp_tool:disallowed event_rule:created event_rule:updated
event_rule:enabled event_rule:disabled event_rule:deleted event_rule:secret_rotated phone_number:created phone_number:updated
phone_number:deleted inbox:created inbox:updated inbox:secret_rotated inbox:deleted site:created site:updated site:duplicated
site:deleted site:crawl_started site:crawl_scheduled site:crawl_unscheduled site:crawl_cancelled site:signed_up
site_domain:claimed site_domain:proved site_domain:lapsed site_domain:expired site_domain:released file:access_changed
folder:access_changed share:created share:revoked credit_budget:updated participant:added participant:updated
participant:removed workflow:roles_changed workflow:published workflow:activated site_page:published site_page:unpublished
site_page:deleted opt_out:noted opt_out:lifted data_export:requested data_export:downloaded members:exported members:imported
chats:exported transcripts:exported records:exported records:imported audit:exported`.split(/\s/);

interface Words {
  things: Readonly<Record<string, string>>;
  done: Readonly<Record<string, string>>;
}

/** An action in words, such as “Workspace: changed”; one that the console does not know as the API names it. */
export function actionText(action: string, { things, done }: Words): string {
  const [thing = '', what = ''] = action.split(':');
  return `${things[thing] ?? thing.replaceAll('_', ' ')}: ${done[what] ?? what.replaceAll('_', ' ')}`;
}
