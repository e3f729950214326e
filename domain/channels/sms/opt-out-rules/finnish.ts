import { type OptOutRules, patterns } from './rules.js';

const lists = {
  msg: String.raw`viest\w*|tekstiviest\w*|tekstari\w*|teksteja|teksti|sms\w*|ilmoituks\w*|muistutuks\w*|sahkopost\w*|meile\w*|meili\w*|mainoks\w*|uutiskirj\w*|spammi\w*|soitto\w*|soittoja|puheluita|puheluja|puhelut|yhteydenot\w*|markkinoin\w*|roskaposti\w*|tiedottei\w*`,
  act: String.raw`lahett\w*|lahettel\w*|viestittely\w*|viestitt\w*|tekstaa\w*|tekstailu\w*|soitt\w*|soittel\w*|laitta\w*|laittel\w*|spamm\w*|hairi\w*|kirjoit\w*|ottami\w*|yhteydenot\w*|meilaa\w*|kiusaa\w*|pommit\w*`,
};

export const finnish: OptOutRules = {
  says: patterns(
    lists,
    String.raw`\b(?:lopeta|lopetakaa|lopettakaa|lopettakaapa|lopetappa|lopettaisit\w*|lopettakaas|lopetatte|lopetatteko|lopettamaan|keskeyta|keskeyttakaa|stop|seis)\b(?: \w+){0,4}? (?:{msg}|{act}|tama|nama)\b`,
    String.raw`\b(?:voit|voitte|voitteko|voitko|voisit|voisitte|voisitteko|voisitko|pyydan|pyydan teita|haluan|haluaisin|vaadin|pyytaisin|saisitteko|saisitko)\b(?: \w+){0,3}? (?:lopettaa|lopettamaan|lopettavan|keskeyttaa)(?: \w+){0,3}? (?:{msg}|{act})\b`,
    String.raw`\b(?:haluan|haluaisin|pyydan|toivon)\b(?: \w+){0,2}? (?:naiden|teidan|naista|kaikkien|viestien)?(?: ?\w+){0,2}? ?(?:viestien|lahettamisen|viestittelyn|soittelun) (?:loppuvan|lopettamista|paattyvan)\b`,
    String.raw`^(?:\w+ ){0,3}?(?:ala|alkaa|alkaapa|elkaa|alka|ela)(?: \w+){0,5}? (?:laheta|lahettako|lahetelko|lahettele|laita|laittako|laitelko|laittele|lahettaka)(?: \w+){0,4}? ?(?:{msg}|mitaan|enaa|enempaa|naita|mittaan)\b`,
    String.raw`^(?:\w+ ){0,3}?(?:ala|alkaa|alkaapa|elkaa|ela)(?: \w+){0,3}? (?:{msg}|enaa|mitaan|naita)(?: \w+){0,3}? (?:laheta|lahettako|lahetelko|lahettele|laita|laittako|laitelko|laittele)\b`,
    String.raw`^(?:\w+ ){0,3}?(?:ala|alkaa|alkaapa|elkaa|ela)(?: \w+){0,3}? (?:viestitelko|viestittele|viestita|viestittako|soita|soittako|soittele|soitelko|kirjoita minulle|kirjoittako|kirjoitelko|ota (?:\w+ )?yhteytta|ottako (?:\w+ ){0,2}?yhteytta|hairitse|hairitko|spammaa|spammatko|tekstaa|tekstatko|tekstailko|tekstaile|meilaa|meilatko|pommittako)\b`,
    String.raw`\b(?:en|emme)(?: \w+){0,2}? (?:halua|haluu|haluaisi|tahdo|toivo|tarvitse|kaipaa|hyvaksy|salli)\b(?: \w+){0,4}? ?(?:{msg}|kuulla|teilta mitaan)\b`,
    String.raw`\b(?:en|emme)(?: \w+){0,2}? (?:halua|haluaisi|tahdo|toivo|hyvaksy)\b(?: \w+){0,3}? (?:etta|kun)? ?(?:\w+ ){0,2}?(?:soitatte|soittelette|soitetaan|lahetatte|lahetetaan|viestitatte|otatte yhteytta|otetaan yhteytta|minuun otetaan|kirjoitatte|hairitsette|laitatte)\b`,
    String.raw`^(?:(?:kiitos|hei|moi|ok|joo|mulle|minulle|nyt|siis|ja|kiitti) ){0,3}ei (?:enaa |enempaa |lisaa |muita |mitaan |yhtaan |kiitos |naita |tallaisia |minulle |mulle |teidan )*(?:viesteja|tekstiviesteja|tekstareita|sms\w*|ilmoituksia|muistutuksia|sahkoposteja|mainoksia|soittoja|puheluita|yhteydenottoja|meileja|viesteja)\b`,
    String.raw`\b(?:poista|poistakaa|poistaisit\w*|poistatteko|poistatko|poistaa|pyyhkikaa|pyyhi|unohda|unohtakaa)\b(?: \w+){0,3}? (?:numeroni|numeron|puhelinnumeroni|yhteystietoni|sahkopostini|osoitteeni|tama numero|mun numero)\b`,
    String.raw`\b(?:poista|poistakaa|poistaisit\w*|poistatteko|poistatko|poistaa)\b(?: \w+){0,2}? (?:minut|mut|mua|meidat)(?: (?:kiitos|heti|nyt|pois|tasta|naista|teilta))*$`,
    String.raw`\b(?:poista\w*|ottakaa|ota|otatteko)\b(?: \w+){0,2}? (?:minut|mut|mua|tietoni|nimeni|numeroni|meidat)\b(?: \w+){0,3}? (?:list\w*|rekister\w*|jarjestelm\w*|postituslist\w*|tietokan\w*|viesti\w*|jakelu\w*)\b`,
    String.raw`\b(?:peru|perukaa|perun|peruuta|peruutan|peruuttakaa|peruuttaa|perua|perumme|haluan perua|irtisanon|lopetan|lopettaa|paattakaa)\b(?: \w+){0,3}? (?:tilau\w*|viestitilau\w*|viestipalvelu\w*|tekstiviestitilau\w*|tekstiviestipalvelu\w*|smspalvelu\w*|palvelunne|postituslist\w*|uutiskirj\w*|suostumu\w*|viestit|tekstiviestit|viestien\w*|lupani|sms tilau\w*|sms palvelu\w*)\b`,
    String.raw`\bjat(?:a|takaa|atte|takaahan)(?: \w+){0,1} (?:minut|mut|meidat|mua|minua) (?:\w+ )?(?:rauhaan|rauhassa)\b`,
    String.raw`\b(?:kiellan|kiellamme|estakaa)\b(?: \w+){0,4}? ?(?:{msg}|{act}|yhteydenotot|suoramarkkinoin\w*)\b`,
    String.raw`\b(?:riittaa|riitti|nyt riitti|tarpeeksi|loppu)(?: \w+){0,2}? (?:naita|naille|nama|nailla|viesti\w*|tekstiviest\w*|spammi\w*)\b`,
    String.raw`\b(?:viestit|viestien|viestittely|lahettely|soittelu|tekstiviestit)(?: \w+){0,2}? (?:saavat|saa|on|pitaa|taytyy|tulee) (?:nyt )?(?:loppua|lopettaa|loputtava|lopetettava)\b`,
    '^(?:(?:nyt|kiitos|ole|olkaa|hyva|voisitteko|voitteko|voisitko|voitko|pyydan|no|hei) )*(?:lopeta|lopettakaa|lopettaa|lopetatteko|lopettakaapa|seis|stop)(?: (?:jo|nyt|heti|kiitos|tama|kaikki|ole|hyva|valittomasti|pyydan|lopultakin|lopeta))*$',
    String.raw`\b(?:perun|peruutan|peruuttaa|perua|vedan)(?: \w+){0,2}? (?:suostumukseni|lupani|suostumuksen)\b`,
  ),
  hints: patterns(
    lists,
    String.raw`\b(?:vaara|vaaraan|vaarassa|vaaralla) (?:numero\w*|henkilo\w*)\b`,
    String.raw`^(?:(?:jo|nyt|no) )*(?:riittaa|riitti|poista|hairitsette|antakaa olla|anna olla|roskapostia|spammia|menkaa pois|haipykaa|haivy|painu\w* \w+)(?: (?:jo|nyt|kiitos|tama))*$`,
    String.raw`^(?:miten|kuinka|mista|mitenka)\b(?=.*\b(?:lopet\w*|peru\w*|poist\w*|paas\w*|estan|estaa)\b).*\b(?:{msg}|listal\w*|tilauk\w*)\b`,
    String.raw`\b(?:liikaa|liian monta|kyllastynyt|kurkkua myoten|arsyttav\w*|hairitsev\w*)\b(?:.*\b(?:{msg})\b)`,
    String.raw`\b(?:estan|blokkaan|ilmoitan|estin)\b(?: \w+){0,2}? (?:numeron|taman|teidat|roskapostiksi)\b`,
    String.raw`\ben ole (?:koskaan )?(?:tilannut|pyytanyt|antanut lupaa)\b`,
  ),
  never: patterns(
    lists,
    String.raw`\b(?:ala|alkaa|ei|en|emme|et|ette|eivat|ela|elkaa|eiko|ettek?o|etko)\b(?: \w+){0,4}? (?:lopet\w+|loppu\w*|loppua|peru\w*|poist\w*|keskeyt\w*)(?<!lopettanut)\b`,
    String.raw`\b(?:miksi|milloin|koska|jos|kun)\b(?: \w+){0,3}? (?:lopetitte|lopetit|lopetettiin|loppui|loppuivat|lopetti)\b`,
    String.raw`\b(?:en|emme)\b(?: \w+){0,2}? (?:halua|haluaisi|tahdo)\b(?: \w+){0,2}? (?:missata|menettaa|unohtaa|hairita|jaada|vaivata)\b`,
    String.raw`\b(?:en|emme)\b(?: \w+){0,2}? (?:saanut|saa|ole saanut|nahnyt|ymmarra|ymmartanyt|lukenut|ehtinyt)\b`,
    String.raw`\bei\b(?:.*\b(?:tullut|tullu|saapunut|tule|tulee|nay|saanut|ole|ollut|toimi|toiminut|perille|mennyt|nakyny|nakynyt|lahde|lahtenyt))\b`,
    String.raw`\b(?:lopeta\w*|lopettaa|peru\w*)\b(?: \w+){0,2}? (?:laak\w*|tupak\w*|tabletti\w*|hoito\w*|hoidon|ajan|aikani|varau\w*|kuur\w*|antibioot\w*|juomi\w*|syomi\w*)\b(?!.*\b(?:viest|sms)\w*)`,
    String.raw`\bpoist\w*\b(?:.*\b(?:tikit|tikkien|jonosta|jono\w*|ajanvara\w*|ryhma\w*|kurssi\w*|tunnilta|luom\w*|kipsi\w*|ompele\w*|hammas|hampaan|vastaanot\w*))\b`,
    String.raw`\b(?:han|aiti|isa|mies|vaimo|poika|ex|naapuri|exani|pomo)\b(?: \w+){0,3}? (?:ei|lopet\w*|ei lopeta|jata)\b`,
    String.raw`\bjat\w+\b(?: \w+){0,3}? (?:viestin|viesti|numeron|soittopyyn\w*)\b`,
    String.raw`\b(?:ala|alkaa)\b(?: \w+){0,2}? jata\w*\b`,
  ),
  doubts: patterns(
    lists,
    String.raw`\b(?:ennen|jalkeen|klo|kello|ollessa\w*|yolla|oisin|aamulla|aamuisin|illalla|iltaisin|huomenna|tanaan|viikonlop\w*|juuri nyt|kun|jos|vaan|toissa|lomalla|asti|saakka|sunnuntai\w*|lauantai\w*|maanantai\w*|perjantai\w*|niin usein|niin aikaisin|liian|viela|puolesta|koskien|liittyen|postitse|kirjeella|paitsi|sijaan|mieluummin|kokouks\w*|aikana|monta kertaa|kahdesti|tuplana|aikaisin|myohaan|aitini|isani|kesken|englanniksi|ruotsiksi|suomeksi|vanhaan|vanhalle|tyonumero\w*|lehden|lehti\w*|aiheesta)\b`,
    String.raw`\b(?:miten|mita|voiko|voinko|saako|pitaako|kannattaako|ehka|kuka|mika)\b`,
  ),
  both: [
    /\b(?:lopet\w*|lopu\w*|riitta\w*|en (?:enaa )?(?:halua|tahdo|anna|hyvaksy)|ei saa|kiell\w*|kiella\w*|enaa|enempaa|pois|tarpeeksi|perua|peru\w*|ala|alkaa|seis|vastustan)\b/u,
    /\b(?:viestej\w*|viestit\w*|viestien|viestittel\w*|tekstiviest\w*|tekstarei\w*|sms\w*|mainoks\w*|spamm\w*|yhteydenot\w*|minuun yhteytta|soittelu\w*|listal\w*|postituslist\w*|hairint\w*)\b/u,
  ],
  requests:
    /\b(?:voi(?:t|tte|sit|sitte)\w*ko|voisit\w*|lopettaisit\w*|lopetat\w*ko|poistaisit\w*|poistat\w*ko|saisit\w*)\b/u,
};
