"""The little words of many languages: those that every few sentences have, whatever they are about."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = """
en: the of and to in is that it was for on are with as his they be at one have this from or had by but not what were we when your can said
    there which their will would about who has been
de: der die das und in den von zu ist mit sich des auf für nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um
    am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch ich wir
nl: de het een en van in is dat op te zijn met voor niet aan er ook als die bij naar om dan maar wordt uit hij ze worden deze heeft door
    over nog was werd meer geen zich kan of wel al hebben ik
fr: le la les de des du et en un une est que qui dans pour par sur pas plus au avec ce il se sont ne aux cette son ou mais comme été ses
    nous vous leur elle ont être aussi fait deux
es: el la los las de del que y en un una es por con para no se lo su al como más o pero sus le ha me si sin sobre este ya entre cuando
    todo esta ser son dos también fue había era muy años hasta desde
pt: o a os as de do da dos das que e em um uma é por com para não se no na mais como mas ao ele foi são seu sua ou ser quando muito há nos
    já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus
it: il la lo gli le di del della dei delle che e è in un una per con non si da sono al come più ma ha nel nella alla dal anche o se ci
    questo questa essere stato tra suo dalla loro perché hanno due dopo
ca: el la els les de del dels que i en un una és per amb no es al més com ha però aquest aquesta ser seu seva són també hi o va han molt
    entre quan fins tot sobre si sense ens on anys dos només perquè
gl: o a os as de do da dos das que e en un unha é por con para non se no na máis como pero ao foi son seu súa ou ser cando moi xa está
    tamén só polo pola ata iso entre era sen mesmo ten unhas este esta anos galega
ro: și de la în a cu pe care nu o un că este din să pentru sunt mai se au fost al ce ale după sau prin fi lui dar această acest când ca
    fără între ei fiind iar toate unui unei am
hu: a az és hogy nem is egy ez volt meg csak de már még mint el azt van ki ha ezt szerint vagy lesz akkor kell sem után ami aki miatt
    lehet minden most így mert között volna nagyon több itt ezek
pl: w i na z do nie się że to jest o jak po za od ale przez dla co są tym czy był być oraz tak jego już tylko ich które który która ma
    może przed było roku także jej bardzo będzie więc też
cs: a v na se je že s z do to o i pro za k ve jsem jako ale po by podle jsou který která které od bude u byl také však jeho tak aby při už
    jen co jsme až nebo mezi před není ještě bylo
sk: a v na sa je že s z do to o aj pre za k vo som ako ale po by podľa sú ktorý ktorá ktoré od bude u bol tiež však jeho tak aby pri už
    len čo sme až alebo medzi pred nie ešte bolo
sl: in je v na se da za so pa ki z s po ne od bi bo tudi kot ali do še pri ob iz že ga le kar ko bila bil ima več leta zaradi lahko ter
    sta tako med bilo pred vse jih
hr: i je u na se da za su od s koji a o ne kako što bi će iz to koja koje do li ali sve kao ili nije samo po još tijekom nakon bio bila
    više prije također gdje između uz može ima kada godine tko ovo
sr: i je u na se da za su od sa koji a o ne kako što bi će iz to koja koje do li ali sve kao ili nije samo po još tokom nakon bio bila
    više pre takođe gde između uz može ima kada godine ko šta ovo
lt: ir kad į iš su yra tai ne bei o buvo kaip bet apie nuo dėl jo už per prie jis ar taip jau tik po kurie savo dar būti labai metų pat
    gali arba nėra pagal tačiau ji kuris bus
lv: un ir ka no uz par ar kas arī bet ne pēc tika gan ja kā to viņš jau tikai pie vai lai savu gada būs tas nav tā kuri vēl vairāk līdz
    tiek bija šī pirms ļoti mēs es šo
et: ja on et ei see ka oli ning kui mis aga seda oma kes siis või ta nii selle üle välja pärast juba veel olla kuid mida ma nagu ole vaid
    eest kõik väga peale aasta tema saab mitte vastu
fi: ja on ei että se oli hän mutta myös ovat kun joka niin kuin ole tai mukaan sekä vuoden jo vain sen ollut ne olla mitä nyt kanssa jos
    vielä jälkeen voi tämä he sitä itse sitten minä ennen olen
sv: och i att det som en på är av för med den till inte om ett har de jag han var men vi sig från så kan när nu efter ska vid också eller
    hade hon under ut där skulle mycket varit
da: og i at det som en på er af for med den til ikke om et har de jeg han var men vi sig fra så kan når nu efter skal ved også eller havde
    hun under ud der ville meget været hvor blev
no: og i at det som en på er av for med den til ikke om et har de jeg han var men vi seg fra så kan når nå etter skal ved også eller hadde
    hun under ut der ville mye vært hvor ble bare noe
is: og í að er á sem til um við var með en ekki það fyrir af hann því eru hafi verið segir þá þau hún ég þess frá eftir þetta hefur svo
    eða upp þar einnig verður voru sé vera
tr: ve bir bu da de için ile olarak çok daha olan gibi ne kadar sonra var en ama ki o ise değil olduğu tarafından her şekilde olduğunu
    göre ancak yeni iki ya kendi oldu bunu mi ben türk diye yok
id: dan yang di itu dengan untuk tidak ini dari dalam akan pada juga ke karena ada saya kita oleh atau sudah bisa adalah telah kami mereka
    lebih dapat sebagai para bahwa tersebut saat seperti hanya menjadi tahun orang
ms: dan yang di itu dengan untuk tidak ini dari dalam akan pada juga ke kerana ada saya kita oleh atau sudah boleh adalah telah kami
    mereka lebih dapat sebagai para bahawa tersebut ketika seperti hanya menjadi beliau tahun kata berkata
vi: và của là có không được cho các một trong người những với này đã khi để ở đến tôi cũng từ như nhiều ra năm về vào thì phải nhưng sẽ
    tại đó sau trên còn lại việc theo
sq: dhe të në e i për me që një nga është se nuk më do ka por si janë kjo kanë edhe ky ishte kur duke tij saj ose shumë pas vetëm këtë tek
    këto prej deri çdo kishte ata
eu: eta da ez du dira zen bat ere egin baina dute izan hori hau dago beste bere izango behar zuen baino edo dela den arte bai gure oso
    nahi urte zuten dituzte guztiak
af: die van en in is dat het nie op te met vir wat om sy aan hy by was ook as deur sal uit hulle word kan maar ek of ons haar hierdie na
    nog so daar sê oor tot
cy: y yn i a o ar yr mae ei ac am oedd wedi gan bod eu fod ond fel nid cael hyn hi roedd bydd nhw gyda wrth fydd neu ni rhai hefyd eich
    mewn
ga: an na a agus ar i is go le tá ag do sé bhí ní den as ach bhfuil seo sin faoi sa nach mar siad raibh chun leis níos
ru: и в не на что с по как это он из за к от но его для был у то так же о все бы она мы я а их было только или уже когда если еще может
    после при ему была которые также того чтобы
uk: і в не на що з як та до за це у від але він для про його є було бути по так ми їх також які який вже яка або після був якщо щоб буде
    ще при чи між тому під свою я
be: і ў не на што з як да за гэта у ад але ён для пра яго ёсць было быць па так мы іх таксама якія які ўжо якая або пасля быў калі каб
    будзе яшчэ пры ці паміж таму яны
bg: и в на да не се за от с е че по са като това до но той ще които след или при беше бъде си само има който което която през още към все
    така те я бил ли във много
mk: и во на да не се за од со е дека по како тоа но тој ќе кои ги што или при беше биде си само има кој која кое преку уште кон сите така
    тие ја го бил ли ова многу
sr-Cyrl: и је у на се да за су од са који а о не како што би ће из то која које до ли али све као или није само по још током након био
    била више пре такође где између може
ar: في من على أن إلى التي الذي عن مع هذا هذه كان بعد ما لا قد بين كما لم وقال كانت قال خلال أو ذلك حيث كل عام إن قبل وهو ولا وفي ومن غير
    وأن
fa: و در به از که این را با است برای آن یک خود تا کرد بر هم نیز گفت می شود شد اما یا وی باید ما دو اند هر او دارد بود پس های شده کرده کند
ur: کے میں کی ہے اور سے کا کو پر نے ہیں کہ یہ اس بھی ایک کر تھا نہیں ہو وہ کیا گیا جو ان تو تک لیے بعد ساتھ اپنے کہا ہی رہے
ckb: لە بە و کە بۆ ئەو لەگەڵ بوو هەر یان ئەم دەکات وەک هەموو نییە دوای بەڵام هەیە دەبێت ئێمە
hi: के में की है और से का को पर ने हैं कि यह इस भी एक कर था नहीं हो वह किया गया जो उन तो तक लिए बाद साथ अपने कहा ही रहे
mr: आणि आहे या च्या व ते की हे त्या असे तर आहेत नाही हा होते मी ही करून पण एक झाले असून म्हणून केले होता यांनी
ne: र छ को मा ले हो पनि यो भएको गर्न गरेको छन् लागि भने तर थियो एक नेपाल गरी भन्ने उनले हुने अनुसार
"""


def _read(table: str) -> dict[str, frozenset[str]]:
    found: dict[str, list[str]] = {}
    for line in filter(None, table.splitlines()):
        tag, colon, words = line.rpartition(":")
        found.setdefault(tag if colon else next(reversed(found)), []).extend(words.split())
    return {tag: frozenset(words) for tag, words in found.items()}


LITTLE_WORDS: Mapping[str, frozenset[str]] = _read(_WORDS)
"""By BCP 47 tag."""
