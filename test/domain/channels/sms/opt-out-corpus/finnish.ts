import type { Corpus } from './corpus.js';

export const finnish: Corpus = {
  sayings: `
Lopettakaa viestien lähettäminen
lopettakaa jo nämä viestit
Lopeta viestien lähettely
Älkää lähettäkö minulle enää viestejä
älä lähetä enää mitään
Älkää enää lähettäkö viestejä tähän numeroon
En halua enää viestejä teiltä
en halua vastaanottaa näitä viestejä
Haluan lopettaa viestien saamisen
Haluan perua tilauksen
Peruuttakaa tekstiviestipalvelu
Poistakaa numeroni listaltanne
poista mut teidän listalta
Poistakaa minut postituslistalta
Ei enää viestejä, kiitos
ei viestejä kiitos
Jättäkää minut rauhaan
jätä mut rauhaan
Älkää ottako minuun yhteyttä
älä ota enää yhteyttä
Älkää soittako minulle enää
älä soita mulle
Lopettakaa soittelu
Voisitteko lopettaa viestittelyn
Voitteko lopettaa näiden viestien lähettämisen?
Pyydän teitä lopettamaan viestien lähettämisen
En tarvitse näitä viestejä
En halua että minulle lähetetään tekstiviestejä
En halua että minuun otetaan yhteyttä
Kiellän yhteydenotot
Peruutan suostumukseni
peruutan suostumukseni viesteihin
Unohtakaa numeroni
Lopettakaa tämä häirintä
Lopettakaa spämmäys
Nyt riitti nämä viestit
Väärä numero
teillä on väärä numero
Miten lopetan nämä viestit?
Miten pääsen pois listalta? En halua viestejä
Riittää jo
olen kyllästynyt näihin viesteihin
En ole tilannut näitä
Lopettakaa heti
lopeta nyt jo
Älkää häiritkö minua enää
Lopettakaa mainosten lähettäminen
Tekstiviestit saavat loppua
Lopettakaa tekstiviestien lähettäminen minulle
En enää halua näitä muistutuksia
Älkää enää laittako viestiä
Poistakaa tietoni rekisteristänne
Voisitteko ystävällisesti poistaa minut listalta
haluan pois listalta
haluan pois postituslistalta
Lopettakaa viestittely kiitos
Älkää lähetelkö enää näitä
Minulle ei saa lähettää viestejä
En anna lupaa lähettää viestejä
Ei enempää viestejä
lopettakaa soittaminen
älkää enää laittako viestiä
En halua näitä viestejä enää
poistakaa numeroni listaltanne
Lopeta tää spämmi
lopettakaa tekstaaminen!!
ei enää viestejä kiitos
Olkaa hyvä ja poistakaa minut postituslistalta. T. Matti
en haluu enää mitään viestei teiltä
Väärä numero, älkää laittako tänne enää mitään
peruutan tilauksen näistä viesteistä
Haluan perua viestit
stop näille viesteille
jättäkää mut rauhaan
miten näistä viesteistä pääsee eroon?
elä laita ennää viestiä
ala lahettako enaa viesteja
Saako nämä viestit lopetettua?
ÄLKÄÄ OTTAKO YHTEYTTÄ
Poistakaa mut tästä 😠
En ole kiinnostunut, älkää lähettäkö enempää
pois listalta kiitos
voisitteko ystävällisesti lopettaa näiden lähettämisen
loppu nyt näille viesteille`,
  nearMisses: `
Älkää lopettako viestien lähettämistä
älä lopeta muistutuksia, ne ovat hyviä
Voinko lopettaa lääkkeen?
Milloin voin lopettaa antibiootit?
Lopetin tupakoinnin viime viikolla
En pysty lopettamaan yskimistä
En saa lopetettua nauramista
Miten kipu loppuu?
Verenvuoto ei lopu
Miksi lopetitte viestien lähettämisen?
En ole saanut viestejä
viestejä ei ole tullut
Ei viestiä vielä
En saanut muistutusta
En halua menettää aikaani
En halua missata viestejänne
En halua häiritä teitä
Perun huomisen ajan
Haluan peruuttaa ajanvarauksen
Poistakaa minut jonotuslistalta
Milloin tikit poistetaan?
Jätin viestin vastaajaan
Jätä viesti niin soitan
Lähettäkää viesti kun tulokset ovat valmiit
Soittakaa minulle huomenna
Älkää unohtako soittaa
Ei enää kipuja
ei enää kuumetta
Ei kiitos, en tarvitse muuta
En halua leikkausta
En tiedä vielä
Exäni ei lopeta soittamista
Naapuri ei jätä minua rauhaan
Äiti ei halua lääkettä
Lähettäkää lisää viestejä kiitos
Haluan saada viestejä
Kiitos viestistä
Tulen käymään kello kolme
Bussipysäkki on lähellä
Loppuuko hoito jo?
Lääke loppui
Reseptini on loppunut
Lopetanko dieetin?
Pitääkö tabletit lopettaa?
Hän lopetti juomisen
Soitto tuli väärään aikaan
En ehdi nyt vastata
Viesti oli epäselvä
En ymmärrä viestiänne
Älkää peruko aikaani
Ota minut mukaan
Ottakaa minut vastaan huomenna
Haluan lopettaa hoidon
Voitteko siirtää ajan
Poistakaa toinen varaus
En tarvitse kyytiä
en halua tulla
Älä huoli
älkää lähettäkö laskua postitse
Voitko pysähtyä kello viideltä?
älkää lopettako, näistä on apua
Lopetin lääkkeen eilen
pitääkö lääkitys lopettaa?
Ei kiitos
Ei kiitos, tiistai ei sovi
Peruutan perjantain ajan
Haluan perua huomisen ajan
en saanut viestiä, lähettäkää uudelleen
Älkää soittako ennen yhdeksää
kipu ei lopu
Lopeta kipu
verenvuoto loppui
en enää tarvitse rollaattoria
Poistakaa toinen aika varauksesta
En halua lopettaa
lapsi ei lopeta itkemistä
en halua enää käyttää tätä lääkettä
bussipysäkki oli suljettu
maito on loppu
älkää lähettäkö sinne vaan kotiosoitteeseen`,
};
