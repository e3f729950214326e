import type { Corpus } from './corpus.js';

export const swedish: Corpus = {
  sayings: `
Sluta skicka sms till mig
sluta smsa mig
Snälla sluta skicka meddelanden
Sluta messa mig nu
Skicka inga fler meddelanden
Skicka inte mer till mig
Skicka inga fler sms tack
Jag vill inte ha fler sms
Jag vill inte få era meddelanden längre
vill inte ha era sms
Kontakta mig inte igen
Kontakta mig inte mer
Ring mig inte
Ring inte mig mer
Hör inte av er mer
Ta bort mig från listan
Ta bort mitt nummer
ta bort mig från era utskick
Avregistrera mig
Jag vill avregistrera mig
Jag vill avsluta prenumerationen
Avsluta mina sms
Stoppa alla sms
Inga fler meddelanden tack
inga fler sms
Lämna mig ifred
lämna mig i fred!
Låt mig vara
Kan ni sluta skicka sms?
Kan du sluta messa mig tack
Jag återkallar mitt samtycke
Jag vill slippa era sms
Jag vill slippa få fler påminnelser
Glöm mitt nummer
Jag undanber mig fler meddelanden
Sluta ringa mig
Sluta kontakta mig
Sluta upp med det här
Sluta nu
Fel nummer
Ni har fel nummer
Hur avregistrerar jag mig?
Hur stoppar jag dessa sms?
Det räcker nu
Jag blockerar er
Jag har inte bett om detta
för många sms från er
sluta spamma
Sluta med dessa sms
Jag vill inte bli kontaktad
Jag önskar inte fler meddelanden
Vänligen sluta kontakta mig
Ta bort mig från er lista tack
jag vill inte längre ha era påminnelser
Sluta höra av er
Var vänlig och skicka inga fler sms
Jag vill inte att ni skickar sms
Radera mitt nummer
kan ni ta bort mig ur registret
Skicka inget mer tack
jag vill inte ha fler sms
ta bort mig från listan
Ta bort mitt nummer tack!
snälla sluta skicka dessa meddelanden
Sluta!!! 😡
vill inte ha dom här smsen längre
Avregistrera mig. Mvh Gunilla
avsluta utskicken
Fel nummer, sluta skicka till mig
hur avslutar jag de här utskicken?
hur slipper jag era sms
lämna mig ifred
inga fler meddelanden tack
kontakta mig inte igen
Jag undanber mig fler utskick
stoppa smsen
ta bort mej från eran lista
Jag vill avsäga mig era meddelanden
nu räcker det, inga mer sms
jag tackar nej till fler utskick
smsa inte mer`,
  nearMisses: `
Sluta inte skicka påminnelser
Sluta inte smsa, det hjälper
Kan jag sluta ta medicinen?
När får jag sluta med tabletterna?
Jag kan inte sluta hosta
Jag kan inte sluta skratta
Jag har slutat röka
Blödningen slutar inte
Hur slutar smärtan?
Varför slutade ni skicka sms?
Jag har inte fått några meddelanden
Jag fick inga sms
inga meddelanden har kommit
Jag vill inte missa era meddelanden
Jag vill inte störa
Jag vill avboka min tid
Avboka tiden imorgon
Ta bort mig från väntelistan
När tar ni bort stygnen?
Lämna ett meddelande
Jag lämnade ett meddelande igår
Lämna mig inte ensam
Skicka ett sms när svaret kommer
Ring mig imorgon
Ring mig när ni kan
Glöm inte att ringa
Glöm inte min tid
Inga fler besvär tack
inga problem
Nej tack
Mitt ex slutar inte ringa
Grannen lämnar mig inte ifred
Hon vill inte ha medicin
Skicka gärna fler meddelanden
Jag vill ha fler påminnelser
Tack för ert sms
Jag stannar till vid apoteket
Var är busshållplatsen?
Nästa hållplats är vår
I slutet av veckan
Medicinen är slut
Receptet är slut
Ska jag sluta med dieten?
Jag slutar jobbet klockan fem
Jag vet inte än
Jag förstår inte meddelandet
Jag vill inte ha operationen
Han slutade dricka
Jag hör av mig
Sluta oroa dig
Ska jag sluta ta blodtryckstabletterna
Jag vill avsluta behandlingen
Ta bort den andra bokningen
Skicka inte räkningen till min fru
Jag vill inte komma
Jag vill inte vänta
Ring inte polisen
Sms:a mig imorgon
kan du stanna till vid fem?
sluta inte, det hjälper mig
jag slutade med medicinen igår
ska jag sluta med tabletterna?
nej tack, tisdag passar inte
Jag vill avboka tiden på fredag
avboka imorgon tack
jag fick inget sms, skicka igen
ring mig inte före nio
smärtan slutar inte
kan ni stoppa smärtan?
vilken busshållplats är närmast?
Inga fler besvär 😊
ta bort stygnen på tisdag?
jag vill inte sluta
ta bort den andra tiden från bokningen
blödningen har slutat
jag vill inte ha fler tabletter
Slutade röka för tre dagar sen!
skicka inte brevet till jobbet utan hem
kan inte komma längre än till tre`,
};
