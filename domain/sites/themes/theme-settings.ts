import Type, { type Static } from 'typebox';
import { OneOf } from '../../lib/schema-parts.js';

const Color = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^#[0-9a-f]{6}$',
      maxLength: 7,
      description: `${what}, as #rrggbb in lower case`,
    }),
  );

function Palette(when: string) {
  return Type.Optional(
    Type.Object(
      {
        background: Color('Behind the page'),
        surface: Color('Behind boxes and the menu'),
        text: Color('Colour of the text'),
        muted: Color('Less important text'),
        primary: Color('Buttons and what is selected'),
        onPrimary: Color('Text on buttons'),
        link: Color('Colour of links'),
        border: Color('Colour of lines'),
      },
      { additionalProperties: false, description: `Colours ${when}` },
    ),
  );
}

export const fonts = ['sans', 'serif', 'mono', 'rounded'] as const;
const Font = (of: string) =>
  Type.Optional(OneOf(fonts, { description: `Font of ${of}, of those that the visitor's device has` }));

/**
 * What a site changes of its theme. There is no field for style sheets, markup or addresses: settings carry no code, and load
 * nothing.
 */
export const ThemeSettings = Type.Object(
  {
    colorScheme: Type.Optional(
      OneOf(['auto', 'light', 'dark'], { description: "auto: as the visitor's device is set" }),
    ),
    bodyFont: Font('the text'),
    headingFont: Font('headings'),
    baseSize: Type.Optional(
      Type.Integer({ minimum: 14, maximum: 24, description: 'Size of the text in CSS pixels' }),
    ),
    contentWidth: Type.Optional(
      Type.Integer({ minimum: 480, maximum: 1_600, description: 'Width of the text at most, in CSS pixels' }),
    ),
    cornerRadius: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 32, description: 'Rounding of corners in CSS pixels' }),
    ),
    showTagLine: Type.Optional(Type.Boolean({ description: 'Whether pages show the tag line' })),
    showLogo: Type.Optional(
      Type.Boolean({ description: 'Whether pages show the logo of the organization, if it has one' }),
    ),
    light: Palette('in the light scheme'),
    dark: Palette('in the dark scheme'),
    print: Type.Optional(
      Type.Object(
        {
          fontSize: Type.Optional(
            Type.Integer({ minimum: 8, maximum: 24, description: 'Size of the text in points' }),
          ),
          margin: Type.Optional(
            Type.Integer({ minimum: 5, maximum: 50, description: 'Margin of the sheet in millimetres' }),
          ),
          showLinks: Type.Optional(
            Type.Boolean({ description: 'Whether the addresses of links are printed behind them' }),
          ),
          showMenu: Type.Optional(Type.Boolean({ description: 'Whether the menu is printed' })),
        },
        { additionalProperties: false, description: 'How pages are printed' },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'What the site changes of its theme; the rest is as in `GET …/sites/themes`',
  },
);
export type ThemeSettings = Static<typeof ThemeSettings>;

/** The defaults of a theme, and over them what a site has set: group by group, field by field. */
export function resolveThemeSettings(defaults: ThemeSettings, settings: ThemeSettings): ThemeSettings {
  return {
    ...defaults,
    ...settings,
    light: { ...defaults.light, ...settings.light },
    dark: { ...defaults.dark, ...settings.dark },
    print: { ...defaults.print, ...settings.print },
  };
}
