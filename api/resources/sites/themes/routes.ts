import Type from 'typebox';
import { ThemeSettings } from '../../../../domain/sites/themes/theme-settings.js';
import { listThemes } from '../../../../domain/sites/themes/themes.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { OneOf } from '../../../http/schemas.js';
import { siteThemes } from '../sites/schemas.js';

const ThemeResponse = Type.Object(
  {
    theme: OneOf(siteThemes, { description: 'Value of `theme` of a site' }),
    name: Type.String(),
    description: Type.String({ description: 'What the theme is for' }),
    defaultSettings: ThemeSettings,
    settingsSchema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of `themeSettings` of a site, for forms',
    }),
  },
  { $id: 'ThemeResponse' },
);

const settingsSchema = JSON.parse(JSON.stringify(ThemeSettings)) as Record<string, unknown>;

const list = defineRoute({
  operationId: 'listThemes',
  method: 'GET',
  path: '/w/{workspace_uuid}/sites/themes',
  tag: 'Sites',
  summary: 'List the themes of sites',
  description: 'All of them, with the settings that hold where a site sets none.',
  access: workspaceMember({ scope: 'sites:read' }),
  response: { status: 200, schema: Type.Array(ThemeResponse) },
  handler: async () =>
    listThemes().map(({ theme, name, description, defaults }) => ({
      theme,
      name,
      description,
      defaultSettings: defaults,
      settingsSchema,
    })),
});

export const themeRoutes = [list];
