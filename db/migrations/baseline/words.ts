import { executableBy } from '../tenant-table.js';

/** Signs that are written in place of those of ASCII, and mean something in a query. */
const marks = '‐−‘’ʼ“”„«»';
const asciiMarks = `--''''''"""""`;
/** `\p{Default_Ignorable_Code_Point}`, and the line that lengthens Arabic letters. */
const unseen = String.raw`\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff`;
/**
 * Accents of Latin, Greek and Cyrillic letters, and vowel points of Hebrew and Arabic; those of other scripts are
 * letters.
 */
const accents = String.raw`\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`;
/** What is neither letter, digit nor accent. */
const signs = String.raw`\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u00d7\u00f7\u02b9-\u02df\u02e5-\u02ff\u0375\u037e\u0387\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u0964\u0965\u0970\u0e2f\u0e3f\u0e4f\u0e5a\u0e5b\u0f01-\u0f17\u0f3a-\u0f3d\u104a-\u104f\u1360-\u1368\u166d\u166e\u17d4-\u17d6\u17d8-\u17db\u1800-\u180a\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2fff\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0\u30fb\uff00-\uff0f\ue000-\uf8ff\U0001f000-\U0001faff`;
/** Letters of scripts without spaces between words, and those of Korean, whose spaces do not divide its words. */
const unspaced = String.raw`\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e4e\u0e80-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u1974\u1980-\u19c9\u1a20-\u1a7c\u1aa7\u3005-\u3007\u3031-\u3035\u303b\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ef\uaa60-\uaa7f\uaa80-\uaadd\uac00-\ud7a3\uf900-\ufaff`;

/**
 * Words are found in whatever form they are written (docs/decisions/0233-words-are-found-in-any-form.md). All searches read
 * texts and queries by the same functions:
 *
 * - `search_text`: a text as PostgreSQL divides it into words: composed, in compatible and lower-case letters, without
 *   signs that are not seen, other signs as spaces, and if it is folded without accents. A script without spaces
 *   becomes one word for each of its characters and the two after it, `u` and their bytes: the parser of PostgreSQL, whose
 *   letters depend on the locale of the database, never sees it. In a query such a run is a phrase.
 * - `search_vector`: the words of a text; those that only its folded form has are labelled A.
 * - `search_words`: the words of a query, as written or folded.
 */
export const words = `
  create function search_text(given text, folded boolean, of_query boolean) returns text
    language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
    as $$
      declare
        plain text;
        pieces text[];
        quoted boolean := false;
        bytes bytea;
        last integer;
      begin
        if octet_length(given) = length(given) then return given; end if;
        if folded then
          plain := regexp_replace(lower(normalize(given, nfkd)), '[${unseen}${accents}]', '', 'g');
          if octet_length(plain) = length(plain) then return plain; end if;
          plain := translate(normalize(plain, nfc), 'øłđðħŧıςىيك${marks}', 'olddhtiσییک${asciiMarks}');
          plain := replace(replace(replace(replace(plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
        else
          plain := translate(regexp_replace(lower(normalize(given, nfkc)), '[${unseen}]', '', 'g'), '${marks}', '${asciiMarks}');
        end if;
        plain := regexp_replace(plain, '[${signs}]', ' ', 'g');
        if plain !~ '[${unspaced}]' then return plain; end if;
        -- Every second piece is a run of characters, of three bytes each.
        pieces := regexp_split_to_array(regexp_replace(plain, '([${unspaced}]+)', '\ue000\\1\ue000', 'g'), '\ue000');
        for i in 1 .. cardinality(pieces) loop
          if i % 2 = 1 then
            quoted := quoted <> (length(replace(pieces[i], '"', '')) % 2 <> length(pieces[i]) % 2);
            continue;
          end if;
          bytes := convert_to(pieces[i], 'UTF8');
          last := case when of_query then greatest(octet_length(bytes) - 9, 0) else octet_length(bytes) - 3 end;
          pieces[i] := (select string_agg('u' || encode(substr(bytes, at + 1, 9), 'hex'), ' ' order by at)
            from generate_series(0, last, 3) as at);
          pieces[i] := case when not of_query or quoted then ' ' || pieces[i] || ' '
            when right(pieces[i - 1], 1) = '-' then '"' || pieces[i] || '" ' else ' "' || pieces[i] || '" ' end;
        end loop;
        return array_to_string(pieces, '');
      end
    $$;
  create function search_vector(language regconfig, given text) returns tsvector
    language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
    as $$
      declare
        written text := public.search_text(given, false, false);
        folded text := public.search_text(given, true, false);
      begin
        if written = folded then return to_tsvector(language, written); end if;
        return to_tsvector(language, written) || setweight(to_tsvector(language, folded), 'A');
      end
    $$;
  -- The first one or two characters of a run begin the word of three.
  create function search_words(language regconfig, query text, any_word boolean, folded boolean) returns tsquery
    language plpgsql stable strict parallel safe set search_path = pg_catalog, pg_temp
    as $$
      declare words text;
      begin
        if any_word then
          words := websearch_to_tsquery(language, public.search_text(
            regexp_replace(regexp_replace(query, '["“”„«»＂]', ' ', 'g'), '(^|\\s)[-‐‑−]+', ' ', 'g'), folded, true))::text;
          words := replace(words, ' & ', ' | ');
        else
          words := websearch_to_tsquery(language, public.search_text(query, folded, true))::text;
        end if;
        return regexp_replace(words, '''u([0-9a-f]{6}){1,2}''', '\\&:*', 'g')::tsquery;
      end
    $$;

  ${executableBy('wes_app, wes_search', 'search_text(text, boolean, boolean)')}
  ${executableBy('wes_app, wes_search', 'search_vector(regconfig, text)')}
  ${executableBy('wes_app, wes_search', 'search_words(regconfig, text, boolean, boolean)')}
`;
