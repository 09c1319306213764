SELECT city, count(*) AS n FROM customer GROUP BY city ORDER BY n DESC, city LIMIT 3
--&YX-l56YFs?3403@/H/ZJoX!.JD[HhxV

SELECT city, count(*) FROM customer GROUP BY city HAVING count(*) > 60 ORDER BY 1
--2My:lUiNd2Gol!`xhtkWiP>j-?sJ$N"l

SELECT count(*) + 1, 2 * count(*) - sum(age) / count(age) FROM customer
--A:%[G%7[M`z8Rb$$"c(E#2@WG[-5Y4rV

SELECT t.country, sum(n) FROM (SELECT city, count(*) AS n FROM customer GROUP BY city) c JOIN city t ON t.name = c.city GROUP BY t.country
--o(aL)+HR';&.K<Pt7$CQ]DM@+,EhJ!f;

SELECT count(*) FROM customer WHERE age > (SELECT avg(age) FROM customer)
--lC>>AJ@3=6Opi+>#!>B@jSSwRvRisG,Q

SELECT count(*) FROM customer WHERE city IN (SELECT city FROM customer GROUP BY city HAVING count(*) > 100)
--\N3DPB[Lq=(fRl-(a@CSBO(<+4Vv+vPd

SELECT count(*) FROM city
--Tc-2>5T$:T,u8pD6D#7#3YA&ihHS]X]J

SELECT name, rank() OVER (ORDER BY name DESC) FROM city ORDER BY 2
--@#0bQMQUgh(f"9,8U2C219f=FmGj)<Er

SELECT city, n, sum(n) OVER () AS total, rank() OVER (ORDER BY n DESC) AS r FROM (SELECT city, count(*) AS n FROM customer WHERE city IS NOT NULL GROUP BY city) c ORDER BY r, city
--M)cS:?B>3[L(R+7!+.csR-#]F/]6Kh+j

SELECT 'all' AS what, count(*) FROM customer UNION ALL SELECT segment, count(*) FROM customer GROUP BY segment ORDER BY 2 DESC, 1
--:y?HKCZ!l=R,AhTl.42='XrR\$d0"B"$

WITH c AS (SELECT city, count(*) AS n FROM customer GROUP BY city) SELECT city FROM c WHERE n = (SELECT max(n) FROM c)
--keI6Wc%o0U/WZf#.'IHI0Oyp?sTtSv>B

SELECT 1 AS one
--p5LGu8h?MSohPy8SjT893OhS'M)8+&[%

SELECT DISTINCT country FROM city ORDER BY country DESC
--2rARL$F5=+;9deL^E(0!'f,2-;_\s(p9

SELECT o.r, count(*) FROM (SELECT city, rank() OVER (ORDER BY n DESC) AS r FROM (SELECT city, count(*) AS n FROM customer GROUP BY city) c) o JOIN customer c ON c.city = o.city GROUP BY o.r
--`Hj&%ISgJM6Y)e<u)x2Q9p*.)dQ7RHO?

SELECT city, (SELECT count(*) FROM city) AS cities, n * 100.0 / (SELECT sum(m) FROM (SELECT count(*) AS m FROM customer) x) AS percent FROM (SELECT city, count(*) AS n FROM customer WHERE city = 'Paris' GROUP BY city) c
--LHoXOE40qlS7BLf)Zcf(G=\?+G2H<fe(

SELECT t.name, c.n FROM city t LEFT JOIN (SELECT city, count(*) AS n FROM customer WHERE city <> 'Lyon' GROUP BY city) c ON c.city = t.name ORDER BY t.name
--SJg,_DS=VC92l)3Lf0%t$W+p3"D$(DRH

SELECT exp(count(*) * 1000.0), 'x' AS a, count(*) + 1 FROM customer
--xEc>cA"?U\WCzvGIxX'HIHCqBJgpa;SF

SELECT country, 'c' AS z, 7 AS n FROM city GROUP BY country ORDER BY z, n, country
--fDu06%:81-iVU"E\A`2y0Ul]zaVI\S&P

SELECT length(city), count(*) FROM customer GROUP BY 1
--o6zf/$>=j"t3O*;:)LHzyv*/9H+c2k>k

SELECT count(*) FROM customer WHERE city ILIKE 'p%S' AND city NOT ILIKE '%Z'
--[!^y="HDg^_r'ZvA9XTi7oh=k%m"mnd.

SELECT count(*) FROM customer WHERE city ~ '^(Par|Ly)[a-z]+$'
--b7YdihCWdG%kP"<04@9+o5T"?NN^iFAL

SELECT concat(city, '/', segment), concat_ws('-', city, segment), count(*) FROM customer GROUP BY 1, 2
--6l-33&zgGY?@dj3cJ[EjY0bQH1i.hEad

SELECT lpad(city, 8, '*'), rpad(city, 3, '*'), repeat(left(city, 1), 3), count(*) FROM customer GROUP BY 1, 2, 3
--?&_4XS`,W:0<Wx@O"lc^_f86c5b0-$J*

SELECT count(*) FROM customer WHERE starts_with(city, 'L') AND right(city, -2) = 'on' AND md5(city) = md5('Lyon') AND octet_length(city) = 4 AND bit_length(city) = 32
--t&j.EFJQj^t.@:o5I()>6GqfDF\bLEdW

SELECT count(*) FROM customer WHERE city || '_%!.' LIKE '%!_!%!!.' ESCAPE '!'
--/V'0V>TcpEXHt<(hne7xfdbi[,j#3t:H

SELECT extract(year FROM born), count(*) FROM customer GROUP BY 1
--$l/::>@Me4Wb+[Q#!<2i?l^YH(6vyTV0

SELECT sum(extract(dow FROM ordered)), sum(extract(isodow FROM ordered)), sum(extract(doy FROM ordered)), sum(date_part('week', ordered)), sum(extract(day FROM ordered)) FROM orders WHERE customer_id IS NOT NULL
--&ckwSs;xV2;QQ-jA'Ei.6hd^BVU^Sce7

SELECT count(*) FROM orders WHERE customer_id IS NOT NULL AND ordered + 10 > DATE '2026-03-01' AND ordered - 5 < '2026-03-20'
--.'8:^abwC5q@:_rJQ@#Mp5-Z**zA1;Iv

SELECT count(*) FROM orders WHERE customer_id IS NOT NULL AND ordered + INTERVAL '36' HOUR < TIMESTAMP '2026-02-01 12:00:00'
--zN^'B>Zc.2/,]DX3X6nbvX5*nmQI*4"!

SELECT extract(year FROM age(TIMESTAMP '2026-07-01', born)), count(*) FROM customer GROUP BY 1
--V4!q3/YX!-z`?2[8h391;'NF9]_iju1y

SELECT count(*) FROM customer WHERE born < make_date(1955, 6, 15) AND make_date(2026, 2, 30) IS NULL
--)l'2SdRh6^O3PC&?tX5kGx'/A<30y;Za

SELECT count(*) FROM orders WHERE customer_id IS NOT NULL AND CAST(ordered AS timestamp) BETWEEN SYMMETRIC '2026-02-28' AND '2026-02-01 00:00:00'
--X?TUo<0B<L!c,:),C(Kf[]MWY?EvBbl0

SELECT count(*) FROM customer WHERE age / 10 = 3
--Occ9-)@wwK*19"4-aI<i5-Hq4r%pYK(2

SELECT sum(abs(balance)) FROM customer
--3`sx[kt5W:ZWN0>>6j!%g6j'CBbA%F/[

SELECT count(sqrt(balance)), count(ln(balance)) FROM customer
--MR"j,M(RKe,VvTKc3@G@FvK]xk&y7a:\

SELECT sum(greatest(balance, 0)), sum(least(balance, 100)) FROM customer
--f5#!]'"QQEDXz!X@aUZ8@XZRlYHlz*jt

SELECT sum(CASE city WHEN 'Paris' THEN age WHEN 'Lyon' THEN 2 * age END) FROM customer
--=l)NE^/VQ8vcPWtHheO=F!S6<sfbMqS0

SELECT CAST(balance / 100 AS integer), count(*) FROM customer GROUP BY 1
--A("X"+ju/[lu9:^oA"X(0RXtCJWI*wLF

SELECT sum(age * 2 - 10) FROM customer WHERE age IS NOT NULL
--upBS18XG_1/,39\$H:F8fB\Iy*:]9]a7

SELECT count(*) FROM customer WHERE city IS DISTINCT FROM 'Paris'
--,XPdL*))A9E-v!YZh!k*4<d3ua4G;ePf

SELECT count(*) FROM customer WHERE (age > 30) IS NOT TRUE
--Be;>K=FK.fzP,*euVU!c#D&bB"^M^k>$

SELECT count(*) FROM customer WHERE age BETWEEN SYMMETRIC 30 AND 20
--^XpZi690en^77,f:nP_87)!o%^Y)'F5F

SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 60 THEN 'middle' ELSE NULL END, count(*) FROM customer GROUP BY 1
--:h#!+wUTogf;>14E6fP+1GO\28I,<[Gj

SELECT greatest(city, 'Lyon'), least(born, '1952-01-01'), count(*) FROM customer WHERE customer_id < 60 GROUP BY 1, 2
--e8:-c%GghBq!SQb)hWf3]Yu3t7[dAH^[

SELECT count(CAST(big AS smallint)), count(CAST(big AS bigint)) FROM orders WHERE big = 9223372036854775807
--8[fj-Ha_,dR^@XMc.7+@A)(`uO&U5k%C

SELECT balance::decimal(6), count(*) FROM customer WHERE customer_id < 40 GROUP BY 1
--H8Mt;TkLJAJ$9rqX3E5U[X=>g,1-L]13

SELECT count(*) FROM customer WHERE CASE WHEN active THEN age > 30 ELSE TRUE END
--Fi/7]i,X9AN0,-y,Q%Es2n!8g[C#<0"-

SELECT count(*) FROM customer NATURAL JOIN orders
--RiWwMX4zk[J@S`*!`l%7%0@B7Aco#BS8

SELECT count(*) FROM customer c LEFT JOIN (orders o JOIN item i ON i.order_id = o.order_id) ON o.customer_id = c.customer_id
--_",FH0b1,)5i8ujT*5A<L6fJ7lu@0pj8

SELECT count(*) FROM item a WHERE NOT EXISTS (SELECT 1 FROM item b WHERE b.order_id = a.order_id AND b.quantity > a.quantity)
--/8G7&_8&eRssP).kD'vnmT=IjA[hGF&@

SELECT CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id) THEN 'buyer' ELSE 'visitor' END AS what, count(*) FROM customer c GROUP BY what
--;,)z/^d1f=3av;NYIUe4:89K#[G^Bn;X

SELECT count(*) FROM (SELECT customer_id FROM customer INTERSECT SELECT customer_id FROM orders) u
--$<kb:E0+Y6i<aN;D)h!ii?a$$j-C$r<q

SELECT count(*) FROM customer AS c (a, b) WHERE a > 10
--b<->_>Hwfv$E4K"bnH8+`[l5>+X"?'M$

SELECT sum(CASE WHEN NULL NOT IN ('a', 'b') THEN 1 ELSE 0 END, 0, 1) FROM customer
--IyI>&D_uFD&?B.Ol(6]"v5qmI;TCqf,J

SELECT count(*), avg(age) FROM (SELECT customer_id, age FROM customer WHERE active) c
--P7U4#w98#;G14SM1)L.(IJR2n7v4ZU;5

SELECT count(*) FROM (SELECT * FROM customer) c WHERE age > 30
--#?,*EZkB`amXrs]::MU[ms`h-$O\i*/)

WITH a AS (SELECT customer_id, age FROM customer WHERE active), orders AS (SELECT customer_id FROM a WHERE age > 30) SELECT count(*) FROM orders
--=O#\svz)=)le[CVI1KrCWDkeS?!t4iO-

SELECT n, count(*) FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) o GROUP BY n
--5X+c;d_9XYTM06A7xsIzaz+9=!hFC>ku

SELECT sum(s, 0, 100000) FROM (SELECT customer_id, sum(order_id) AS s FROM orders GROUP BY customer_id) o
--))\0>q.2uSf,5h==m62laH\(8fYd)*4C

SELECT count(*) FROM (SELECT DISTINCT customer_id, ordered FROM orders) o
--_?]Eb@_WVUuJ4n'b99Slt"lgLF`fX,N#

SELECT count(*) FROM customer WHERE customer_id IN (SELECT customer_id FROM orders WHERE amount > 600)
--Zge.W[T#aL^1.*dN*9=e4%sVeaF]8`G6

SELECT count(*) FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND o.amount > 650)
--=Jg[\N;h`ULFt%&cD]99j5g5$+D%)3T=

SELECT count(*) FROM customer c WHERE c.customer_id IN (SELECT o.customer_id FROM orders o JOIN item i ON i.order_id = o.order_id WHERE i.product = 'tea' AND i.quantity = 7)
--H%g`^U?Ctk;M*gc#]Kb/6-ZxN(6bkC[Q

SELECT * FROM read_csv('canary.csv')
--Goilq6GZWNWFW+@R@]_httR>Zt[6s+;=

SELECT city, count(*) FROM customer GROUP BY city UNION ALL SELECT name, 1 FROM 'canary.csv'
--mRbMcIv&6u3cNicP\E(_8vCX#9B*TC3<

SELECT name FROM city WHERE name = (SELECT content FROM read_text('canary.csv'))
--1S`"\]QVw2$O"meIX,k`P1eFr[/a$?gp

--Zh\Zbl98b]qo8-ZG3,eyr&mSZtot5p"d)(%9?m$\JYl:c>rF`!u+[tDUg+{AI>bE$)i.T.FR)#x!<;']Q{SV*iq:wCL,HK"U02@{-"(\_7xh9Zb9~1VsR/SV<!ClG#;8Snsj-&3<YB"oKFR**,;kr@"mPPp[1l^j2R8q4H>o@}95qg:xR^n+

--V'..%bA?{SAVm_Fc7})1>^htoo*D<;#)CUZ@(&7EPdj1,O2ZKu~yck2l%#]NzH%#mr*^)~HI2**ZfP&{1LN+x]*V$`j"puQQk"n*+,r/AV~KRyk[Y\f+cb$Hm,^#>z/`ou_A"PG3wo:c6LuY`?JTvA:rX:<R=kI;22`M&|)D6/Z]D<UQqc`w

--I|pZJ*%Dn&w{DjNHti#s2T[9$C?3'q/Z.qetrP*x::]A7|"]e|%7=CMfzcao5Sz=,U}R1Z[:q!QgitaL\Jt;-}s|0<@R,HeJB|#Ma+%YLgVD_$<)W%7eKx2]4c}cwyY`ky,=YdhF~hr6cbhAHvQo;G3fdCj`:Ue/a!nQ$e&cTfi0_,y6)e[U

--TC@]`1LX]dI.9Vp$B1z#%94>"xEJ}N@p`.`~k0bpA|:zdX#QrUdo5e;qer<d<fol2>qM8InI9<9-2?1~,BR-XVf{1:Tqx#-:ixNO/{arLax9*^.$%gobi^398/;75Ew-k(2x\*-JS\WbNX;mP"rz&:8U[OPT9n6-b"J+{qTim9akLBD/5T2K

--eyPX8T;}8*LG]-"Nrp'>CvGL<uTi8e*Rb`s<z0Sj#/o.?AYTa':sQ"-BADLgfbVci-rYs*gmv&R5R]6`fom(W`VEdTmHOdE^tChEu|F$"@k&r5UxR'IS'k}I*=W}^A@&c-}\3@n{/'pV[0;'Nd40OY2vV[mBrkxVOd2F~1?^/aHapNDCox}i

--zl9rD?9@at:x&q("CBW$p%.=fD*,w5g?qP^^N;LL`2*0Zp<YWBR4P4tmJFg8WtPk-\J+f+Xii_x\G"*H<un+yG`}yJE3=Nu}JO0J{YimxDYdH[I=T~c@+OO$OwSkR9iPRf4li77,[E#=c(f5iF#tW)kfHf+K+D.I+$rt3-tW@|=_cL[SMLKw

--2`_e}*{p&UvM!Q,\fr$dO{"/VV3@5rQx6J;RWdFD(]H~/Gs47([#k^%I.:8N<l?m|]mb=Y8DT7Hqgg^B_TLug,^=T'<2RdcD(u?"]PZ@|Vn5V5J3Bc1rpCce'4j7!;41+NCo|d-^y\+lfaG#9V9x,Y;%fUd`5HIHT*hH\v|)O*x2.vSw\0tY

--"Q|{]?Fi/["};o4FqQfGLShv,A9:Q~/KHDi]}rKZQ,.3p-1wq{789T%\l{,->%50XU*LWb2s;3yR^KUp"~TozI@und#BK9LHtY.hQ;bKF.o|5AeGg>Noab3j|:c|{:i$qu:+2@^jVzKK,OC\0Z~2?iffh)hB6Km30!ExO?jO68mg*[%T8u2H

--vQolr#5:U\%3dR0iT7Lc1B@iK's%}v3T`m.]MUpyiUE_\yUX0i/dKdcXV$J'F}oX~QmJHl)@0Z@aS']y.d?fHuS?)~vPfVi6=tVi0*-c10ej[!F@~G$J7)YZdS3Nyk>&H$[IHJ`3];:Fy(:IN]#7rzh:eq?9't.H}IDV|2KzYV+6=H0{y:C8

--}?avFCPud/lc>G8v=D1rv,\*Yd*d&!mlEeAWi,6E9@7D~g$84%p\kR!`(8)hsOJu^%cFarxce7m6/nX?vYgA|}?B_f=kn`B%:m|'jZ8J4n#n`XaY}B$*/7irfk}?p3'HW&zIpdBl`,tb6QA@5`yum[(IU\Oz<{&1_m23[c&!?Ud3,ShG]W*%

--x|~o>FA0g?V\,>OHLo<&5Tkt(Liyl7\S<QQ'<VM@8g5^;T<m\H]Z_qw8_;fRV*'yDODp#c8BbSit|<C.O(4~O2?}0#JRZ+QJAcv(GSn?_&94bm1%;HUW^fy2c{gBI}ZvQ3;De|ZT2RcN=.FPMo<2&$q^i"Guv)<hyNv0P?qB,W0S`(_RKE`{

--D=5T:]6Mv|?c,LW4^kAzgHz#S0O)TC'Q`kG]}JA*$%MJPiGBv8s]RoLO$j{<*q'pfUoV)D)\ZQR%2xaCH`O]#4n9C>Bx=?c!fS!?g`tg+phyKBM.#I|;zSx5955Kpy_iFPVEOve`?s@OJ{7b1)).{H/Zbw^&5pU^'MASaySA|rAP|xJ8K;i1

